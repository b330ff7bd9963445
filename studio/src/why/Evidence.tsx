import { signal, useSignal, type Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Badge, Shown } from "../parts";
import { asCsv, asInitStates, differences, download, type Names } from "../values";
import type { Column, EvidenceData, RunData } from "../wire";
import { Decisions } from "./Decisions";
import { SwimLanes } from "./SwimLanes";
import { found, TraceTable, type Filter } from "./TraceTable";

const SHAPES = ["table", "lanes", "story"] as const;
type Shape = (typeof SHAPES)[number];
const SAID: Record<Shape, string> = { table: "Table", lanes: "Swim lanes", story: "Story" };

interface Props {
  evidence: EvidenceData;
  mentions: readonly number[];
  columns: readonly Column[];
  trace: Signal<number>;
  step: Signal<number>;
  other: Signal<number | null>;
  chooseTrace: (place: number) => void;
  name: string;
}

/// Evidence to look at: its paths as a table, as lanes, or all of it as a story. The page of a run has the same.
export function EvidenceView(props: Props) {
  const { evidence, trace, step, other } = props;
  const shape = useSignal<Shape>("table");
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const text = useSignal("");
  const onlyMentioned = useSignal(false);
  const names: Names = evidence;
  const run = evidence.traces[trace.value]?.run;
  const filter = useMemo<Filter>(() => ({
    hidden: hidden.value, text: text.value, only: onlyMentioned.value ? new Set(props.mentions) : null,
  }), [hidden.value, text.value, onlyMentioned.value, props.mentions]);
  if (run === undefined) return <Decisions evidence={evidence} />;
  return (
    <div class="evidence">
      <div class="toolbar wrap">
        <div class="segments" role="group" aria-label="shape">
          {SHAPES.map((each) => (
            <button type="button" key={each} aria-pressed={shape.value === each} onClick={() => (shape.value = each)}>{SAID[each]}</button>
          ))}
        </div>
        <Replay evidence={evidence} />
        {evidence.traces.length > 1 && <Traces {...props} />}
        <button type="button" onClick={() => download(`${props.name}.csv`, asCsv(names, run, props.columns), "text/csv")}>CSV</button>
      </div>
      {shape.value !== "story" && (
        <>
          <Filters {...{ names, hidden, text, onlyMentioned }} canMention={props.mentions.length > 0} />
          <Stepper run={run} step={step} names={names} />
        </>
      )}
      {shape.value === "table" && <TraceTable {...{ names, run, filter, step, other }} columns={props.columns} />}
      {shape.value === "lanes" && <SwimLanes {...{ names, run, step }} hidden={hidden.value} />}
      {shape.value === "story" && <pre class="story" tabIndex={0} aria-label="the story">{evidence.story.join("\n")}</pre>}
      {shape.value !== "story" && <Compare {...{ names, run, step, other }} />}
      <Decisions evidence={evidence} />
    </div>
  );
}

function Replay({ evidence }: { evidence: EvidenceData }) {
  const words: Record<string, string> = { ok: "replayed", partial: "replayed in part", failed: "replay failed" };
  return (
    <span class="replay" title={evidence.unreplayed.join("\n")}>
      {evidence.kind} <Badge word={evidence.replay === "ok" ? "true" : "open"} said={words[evidence.replay] ?? "not replayed"} />
    </span>
  );
}

function Traces({ evidence, trace, chooseTrace }: Props) {
  return (
    <label class="choice">
      <span>Path</span>
      <select value={String(trace.value)} onChange={(event) => chooseTrace(Number(event.currentTarget.value))}>
        {evidence.traces.map((each, place) => (
          <option key={place} value={String(place)}>{`${place + 1}. ${each.title.slice(0, 80)} (${each.run.states.length - 1} steps)`}</option>
        ))}
      </select>
    </label>
  );
}

interface FilterProps {
  names: Names;
  hidden: Signal<ReadonlySet<string>>;
  text: Signal<string>;
  onlyMentioned: Signal<boolean>;
  canMention: boolean;
}

function Filters({ names, hidden, text, onlyMentioned, canMention }: FilterProps) {
  const toggle = (agent: string) => {
    const made = new Set(hidden.value);
    if (!made.delete(agent)) made.add(agent);
    hidden.value = made;
  };
  return (
    <div class="filters">
      <fieldset>
        <legend>Agents</legend>
        {names.agents.map((agent, place) => (
          <label key={agent} class={`agent-box c${place % 8}`}>
            <input type="checkbox" checked={!hidden.value.has(agent)} onChange={() => toggle(agent)} />{agent}
          </label>
        ))}
      </fieldset>
      <label class="choice"><span>Variables</span>
        <input type="search" placeholder="part of a name" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      {canMention && (
        <label class="agent-box">
          <input type="checkbox" checked={onlyMentioned.value} onChange={() => (onlyMentioned.value = !onlyMentioned.value)} />
          only what the formula mentions
        </label>
      )}
    </div>
  );
}

const sought = signal("");

function Stepper({ run, step, names }: { run: RunData; step: Signal<number>; names: Names }) {
  const last = run.states.length - 1;
  const state = run.states[step.value] ?? [];
  const search = () => {
    const place = found(names, run, sought.value, step.value);
    if (place >= 0) step.value = place;
  };
  return (
    <div class="stepper">
      <button type="button" aria-label="previous step" disabled={step.value === 0} onClick={() => step.value--}>◀</button>
      <label class="slider"><span class="sr-only">step</span>
        <input type="range" min={0} max={last} value={step.value} onInput={(event) => (step.value = Number(event.currentTarget.value))} />
      </label>
      <button type="button" aria-label="next step" disabled={step.value >= last} onClick={() => step.value++}>▶</button>
      <output class="quiet-text">step {step.value} of {last}{run.loop === null ? "" : `, then again from ${run.loop}`}</output>
      <form class="find" onSubmit={(event) => (event.preventDefault(), search())}>
        <label><span class="sr-only">find in all rows</span>
          <input type="search" placeholder="find value or action" value={sought.value} onInput={(event) => (sought.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Find</button>
      </form>
      <button type="button" onClick={() => void navigator.clipboard?.writeText(asInitStates(names, state))}>Copy as InitStates</button>
    </div>
  );
}

/// Two states side by side, by what differs.
function Compare({ names, run, step, other }: { names: Names; run: RunData; step: Signal<number>; other: Signal<number | null> }) {
  const before = other.value === null ? null : run.states[other.value];
  const here = run.states[step.value];
  if (before === null || before === undefined || here === undefined) {
    return (
      <p class="quiet-text hint">
        <button type="button" class="link" onClick={() => (other.value = step.value)}>Compare</button> with another step: mark this one, then
        choose the other (or Shift-click a row).
      </p>
    );
  }
  const places = differences(before, here);
  return (
    <section class="compare" aria-label="two states side by side">
      <header>
        <h3>Step {other.value} and step {step.value}: {places.length === 0 ? "no difference" : `${places.length} differ`}</h3>
        <button type="button" onClick={() => (other.value = null)}>Done</button>
      </header>
      {places.length > 0 && (
        <table>
          <thead><tr><th scope="col">variable</th><th scope="col">step {other.value}</th><th scope="col">step {step.value}</th></tr></thead>
          <tbody>
            {places.map((place) => (
              <tr key={place}>
                <th scope="row">{names.variables[place]?.owner}.{names.variables[place]?.name}</th>
                <td><Shown value={before[place]} /></td>
                <td><Shown value={here[place]} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
