import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { facts, model, showLines } from "../model/state";
import { Badge, Dialog, Empty, Note, Shown } from "../parts";
import { asInitStates, colourOf, differences, type Names } from "../values";
import { currentRun } from "../why/state";
import type { ModelFacts, MoveData, Situation } from "../wire";
import {
  addFormula, askWhyNot, choose, dropFormula, findInitial, follow, formulas, go, here, initial, jump, known, only, path, position,
  reset, restrict, situation, start, step, trouble, viewer, wander, whyNot, worlds,
} from "./state";

/// A walk through the model, click by click.
export function Explore() {
  const { value: current } = model;
  useEffect(() => {
    reset();
    void findInitial();
  }, [current]);
  const known = facts.value;
  if (known === null) return <Empty title="No model yet"><p>Open a model, or mend what is marked in its text.</p></Empty>;
  const names: Names = { agents: known.agents.map((each) => each.name), variables: known.variables };
  return (
    <div class="view explore">
      <Beginnings names={names} />
      {trouble.value !== null && <Note kind="warning">{trouble.value}</Note>}
      {here.value !== null && (
        <div class="explore-grid">
          <Where names={names} />
          <What names={names} />
          <Who names={names} known={known} />
        </div>
      )}
      {whyNot.value !== null && <WhyNotDialog />}
    </div>
  );
}

function Beginnings({ names }: { names: Names }) {
  const where = useSignal("");
  const goal = useSignal("");
  const found = initial.value;
  const evidence = currentRun();
  return (
    <div class="toolbar wrap">
      <form class="find" onSubmit={(event) => (event.preventDefault(), void findInitial(where.value))}>
        <label class="choice"><span>Start where</span>
          <input type="text" placeholder="Agent.x = 1 and …" value={where.value} onInput={(event) => (where.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Find</button>
      </form>
      {found !== null && found.states.length > 0 && (
        <label class="choice"><span>Initial state</span>
          <select onChange={(event) => { const state = found.states[Number(event.currentTarget.value)]; if (state !== undefined) start(state); }}>
            {found.states.map((state, place) => <option key={place} value={place}>{brief(names, state, found.states[0] ?? [], place)}</option>)}
          </select>
        </label>
      )}
      <form class="find" onSubmit={(event) => (event.preventDefault(), void jump(goal.value))}>
        <label class="choice"><span>Jump to</span>
          <input type="text" placeholder="a formula" value={goal.value} onInput={(event) => (goal.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Jump</button>
      </form>
      <button type="button" onClick={() => void wander(1)}>Random step</button>
      <button type="button" onClick={() => void wander(20)}>20 steps</button>
      {evidence !== null && evidence.states.length > 1 && <button type="button" onClick={() => follow(evidence)}>Follow the evidence</button>}
    </div>
  );
}

function brief(names: Names, state: readonly unknown[], first: readonly unknown[], place: number): string {
  const telling = state.flatMap((value, at) => (place === 0 || first[at] !== value ? [`${names.variables[at]?.name} = ${String(value)}`] : []));
  return `${place + 1}: ${telling.slice(0, 4).join(", ")}${telling.length > 4 ? " …" : ""}`;
}

/// The path, and the state one stands at.
function Where({ names }: { names: Names }) {
  const state = here.value ?? [];
  const before = position.value > 0 ? path.value[position.value - 1]?.state : undefined;
  const changed = new Set(before === undefined ? [] : differences(before, state));
  return (
    <section class="card" aria-label="Where">
      <h2>Where you are</h2>
      <div class="stepper">
        <button type="button" aria-label="back" disabled={position.value === 0} onClick={() => go(position.value - 1)}>◀ Back</button>
        <span class="quiet-text">step {position.value} of {path.value.length - 1}</span>
        <button type="button" aria-label="forward" disabled={position.value >= path.value.length - 1} onClick={() => go(position.value + 1)}>▶</button>
        <button type="button" class="quiet" onClick={() => void navigator.clipboard?.writeText(asInitStates(names, state))}>Copy</button>
      </div>
      <div class="state-cards">
        {names.agents.map((agent) => {
          const mine = names.variables.flatMap((each, place) => (each.owner === agent ? [place] : []));
          if (mine.length === 0) return null;
          return (
            <div key={agent} class={`state-card c${colourOf(names, agent)}`}>
              <h3>{agent}</h3>
              <dl>{mine.map((place) => (
                <div key={place} class={changed.has(place) ? "new" : ""}><dt>{names.variables[place]?.name}</dt><dd><Shown value={state[place]} /></dd></div>
              ))}</dl>
            </div>
          );
        })}
      </div>
      <p class="props">{(situation.value?.propositions ?? []).map((each) => <span class="chip plain" key={each}>{each}</span>)}</p>
      <ol class="path-list" aria-label="The path so far">
        {path.value.map((stop, place) => (
          <li key={place}>
            <button type="button" class="link" aria-current={place === position.value ? "step" : undefined} onClick={() => go(place)}>
              {place}{stop.action === null ? " start" : ` ${said(names, stop.action)}`}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function said(names: Names, action: readonly (string | null)[]): string {
  return action.flatMap((each, place) => (each === null ? [] : [`${names.agents[place]}: ${each}`])).join(", ");
}

/// What can be done here.
function What({ names }: { names: Names }) {
  const found = situation.value;
  if (found === null) return null;
  return (
    <section class="card" aria-label="What can be done">
      <h2>What can be done</h2>
      {found.choices.map(({ agent, enabled, disabled }) => (
        <div key={agent} class={`choices c${colourOf(names, agent)}`} role="group" aria-label={`actions of ${agent}`}>
          <h3>{agent}</h3>
          {enabled.map((action) => (
            <button type="button" key={action} aria-pressed={only.value[agent] === action} onClick={() => restrict(agent, action)}>{action}</button>
          ))}
          {disabled.map((action) => (
            <button type="button" key={action} class="disabled-action" aria-label={`why not ${action}`} onClick={() => void askWhyNot(agent, action, null)}>{action}</button>
          ))}
          {enabled.length + disabled.length === 0 && <span class="quiet-text">has no actions</span>}
        </div>
      ))}
      <p class="quiet-text">{found.ways === "0" ? "No joint action is enabled: a deadlock." : `${found.ways} joint actions`}</p>
      <Moves names={names} found={found} />
    </section>
  );
}

function Moves({ names, found }: { names: Names; found: Situation }) {
  return (
    <ul class="moves">
      {found.moves.map((move) => <Move key={said(names, move.action)} names={names} move={move} />)}
    </ul>
  );
}

function Move({ names, move }: { names: Names; move: MoveData }) {
  const now = here.value ?? [];
  const lines = (agent: string) => void askWhyNot(agent, null, [...move.action]);
  return (
    <li>
      <span class="deeds">{move.action.map((each, place) => each !== null && (
        <button type="button" key={place} class={`deed c${place % 8}`} aria-label={`lines of ${names.agents[place]} with ${said(names, move.action)}`}
          onClick={() => lines(names.agents[place] ?? "")}>{each}</button>
      ))}</span>
      {move.trouble !== null && <span class="unexpected">{move.trouble}</span>}
      <span class="goals">
        {move.states.map((state, place) => (
          <button type="button" key={place} class="goal" onClick={() => step(move.action, state)}>→ {changes(names, now, state)}</button>
        ))}
        {move.states.length === 0 && <span class="quiet-text">leads nowhere</span>}
        {Number(move.count) > move.states.length && <span class="quiet-text">and {Number(move.count) - move.states.length} more</span>}
      </span>
    </li>
  );
}

function changes(names: Names, before: readonly unknown[], after: readonly (boolean | number | string)[]): string {
  const places = after.flatMap((value, place) => (before[place] === value ? [] : [place]));
  return places.map((place) => `${names.variables[place]?.owner}.${names.variables[place]?.name} = ${after[place]}`).join(", ") || "nothing changes";
}

/// Who knows what here.
function Who({ names, known: model }: { names: Names; known: ModelFacts }) {
  const text = useSignal("");
  return (
    <section class="card" aria-label="Who knows what">
      <h2>Who knows what</h2>
      <form class="find" onSubmit={(event) => (event.preventDefault(), addFormula(text.value), (text.value = ""))}>
        <label><span class="sr-only">a formula to follow</span>
          <input type="text" list="propositions" placeholder="a formula" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Add</button>
        <datalist id="propositions">{model.propositions.map((each) => <option key={each} value={each}>{each}</option>)}</datalist>
      </form>
      {formulas.value.length > 0 && <Stances names={names} />}
      <div class="segments wrap" role="group" aria-label="whose view">
        {names.agents.map((agent) => (
          <button type="button" key={agent} class={`c${colourOf(names, agent)}`} aria-pressed={viewer.value === agent} onClick={() => choose(viewer.value === agent ? null : agent)}>{agent}</button>
        ))}
      </div>
      {viewer.value !== null && <Worlds names={names} agent={viewer.value} />}
      {viewer.value === null && <p class="quiet-text">Choose an agent to see what it considers possible.</p>}
    </section>
  );
}

function Stances({ names }: { names: Names }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="who knows which formula">
      <table class="stances">
        <thead><tr><th scope="col">formula</th><th scope="col">holds</th>{names.agents.map((agent) => <th scope="col" key={agent}>{agent}</th>)}<th scope="col"><span class="sr-only">drop</span></th></tr></thead>
        <tbody>
          {formulas.value.map((text) => {
            const found = known.value.find((each) => each.text === text);
            return (
              <tr key={text}>
                <th scope="row"><code>{text}</code></th>
                <td>{found?.problem ?? (found?.holds === undefined || found.holds === null ? "…" : <Badge word={String(found.holds)} />)}</td>
                {names.agents.map((agent) => <td key={agent} class={STANCE[found?.stances[agent] ?? ""] ?? ""}>{found?.stances[agent] ?? ""}</td>)}
                <td><button type="button" class="quiet" aria-label={`drop ${text}`} onClick={() => dropFormula(text)}>✕</button></td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const STANCE: Record<string, string> = { "knows it": "stance-yes", "knows the opposite": "stance-no", "does not know": "stance-open" };

function Worlds({ names, agent }: { names: Names; agent: string }) {
  const found = worlds.value;
  if (found === null) return <p class="quiet-text">…</p>;
  const now = here.value ?? [];
  const unseen = names.variables.flatMap((each, place) => (each.seen.includes(agent) ? [] : [place]));
  const telling = unseen.filter((place) => found.states.some((state) => state[place] !== now[place]));
  return (
    <div class={`worlds c${colourOf(names, agent)}`}>
      <p>{agent} considers {found.count === "1" ? "only this state" : `${found.count} states`} possible.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label={`what ${agent} considers possible`}>
        <table>
          <thead><tr>{telling.map((place) => <th scope="col" key={place}>{names.variables[place]?.owner}.{names.variables[place]?.name}</th>)}</tr></thead>
          <tbody>
            {found.states.map((state, row) => (
              <tr key={row} class={differences(now, state).length === 0 ? "here" : ""}>{telling.map((place) => <td key={place}><Shown value={state[place]} /></td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function WhyNotDialog() {
  const asked = whyNot.value;
  if (asked === null) return null;
  return (
    <Dialog title={asked.title} onClose={() => (whyNot.value = null)}>
      {asked.found.lines.length === 0 && <p>No line of its Protocol ever allows it.</p>}
      <ul class="why-not">
        {asked.found.lines.map(({ line, holds, conjuncts }) => (
          <li key={`${line.line}${line.text}`}>
            <p><button type="button" class="link" onClick={() => { showLines(line.line, line.last); whyNot.value = null; }}>line {line.line}</button> <code>{line.text}</code></p>
            <ul>{conjuncts.map((each, place) => <li key={place} class={each.holds ? "holds" : "fails"}>{each.holds ? "✓" : "✗"} <code>{each.text}</code></li>)}</ul>
            {holds && <p class="quiet-text">it holds here</p>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
