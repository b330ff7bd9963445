import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { facts, model } from "../model/state";
import { Empty, Note } from "../parts";
import { start } from "../explore/state";
import { view } from "../views";
import { colourOf, type Names } from "../values";
import type { GraphData } from "../wire";
import { Decisions } from "../why/Decisions";
import { Drawing } from "./Drawing";
import { doubts, quotient } from "./graph";
import {
  announce, chosen, colour, colouring, counts, decided, doubting, draw, graph, holds, kind, KINDS, left, said, shown, strategies, strategy, trouble, unsay,
  type Kind,
} from "./state";

const SAID: Record<Kind, string> = { states: "Reachable states", around: "Around the simulator", strategy: "Strategy" };

/// Pictures of states, worlds and strategies.
export function Pictures() {
  const { value: current } = model;
  const { value: what } = kind;
  const { value: which } = strategy;
  useEffect(() => {
    graph.value = null;
    shown.value = null;
    void draw();
  }, [current, what, which]);
  const known = facts.value;
  const names = useMemo<Names>(() => ({ agents: known?.agents.map((each) => each.name) ?? [], variables: known?.variables ?? [] }), [known]);
  if (known === null) return <Empty title="No model yet"><p>Open a model, or mend what is marked in its text.</p></Empty>;
  return (
    <div class="view pictures">
      <div class="toolbar wrap">
        <div class="segments" role="group" aria-label="what to draw">
          {KINDS.map((each) => <button type="button" key={each} aria-pressed={what === each} onClick={() => (kind.value = each)}>{SAID[each]}</button>)}
        </div>
        {what === "strategy" && strategies.value.length > 1 && (
          <label class="choice"><span>of</span>
            <select value={which ?? strategies.value[0]?.text ?? ""} onChange={(event) => (strategy.value = event.currentTarget.value)}>
              {strategies.value.map((each) => <option key={each.text} value={each.text}>{each.text}</option>)}
            </select>
          </label>
        )}
      </div>
      {what === "strategy" && strategies.value.length === 0 && <Note kind="info">Check a formula such as &lt;Group&gt; F goal first: a strategy that shows it is drawn here.</Note>}
      {trouble.value !== null && <Note kind="error">{trouble.value}</Note>}
      {what === "strategy" && graph.value !== null && decided.value !== null && <Decisions evidence={decided.value} />}
      {graph.value !== null && <Worlds names={names} found={graph.value} />}
    </div>
  );
}

function Worlds({ names, found }: { names: Names; found: GraphData }) {
  const { value: places } = shown;
  const { value: remaining } = left;
  const picture = useMemo(
    () => quotient(names, found, places === null ? [...names.variables.keys()] : [...places].sort((a, b) => a - b), remaining),
    [names, found, places, remaining]);
  const { value: agents } = doubting;
  const lines = useMemo(() => names.agents.filter((each) => agents.has(each)).flatMap((each) => doubts(names, found, picture, each)), [names, found, picture, agents]);
  return (
    <>
      {!found.complete && <Note kind="info">There are more states than can be looked at: these are the nearest {found.states.length}.</Note>}
      <Doubters names={names} />
      <Variables names={names} />
      <Saying canAnnounce={found.complete} />
      {remaining.size === 0 ? <Note kind="warning">No world is left: what was said cannot all be true.</Note> : (
        <Drawing names={names} picture={picture} doubts={lines} holds={holds.value} chosen={chosen.value} label={`${picture.nodes.length} worlds and the steps between them`}
          choose={(id) => (chosen.value = chosen.value === id ? null : id)} />
      )}
      <ChosenWorld names={names} found={found} members={picture.nodes.find((each) => each.id === chosen.value)?.members ?? []} />
    </>
  );
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const made = new Set(set);
  if (!made.delete(item)) made.add(item);
  return made;
}

function Doubters({ names }: { names: Names }) {
  return (
    <fieldset>
      <legend>Who cannot tell apart</legend>
      {names.agents.map((agent) => (
        <label key={agent} class={`agent-box c${colourOf(names, agent)}`}>
          <input type="checkbox" checked={doubting.value.has(agent)} onChange={() => (doubting.value = toggled(doubting.value, agent))} />{agent}
        </label>
      ))}
    </fieldset>
  );
}

function Variables({ names }: { names: Names }) {
  const all = new Set(names.variables.keys());
  const current = shown.value ?? all;
  const only = (agent: string) => new Set(names.variables.flatMap((each, place) => (each.seen.includes(agent) ? [place] : [])));
  return (
    <details class="history">
      <summary>What is drawn: {shown.value === null ? "all variables" : `${current.size} of ${all.size} variables`}</summary>
      <div class="filters">
        <button type="button" onClick={() => (shown.value = null)}>All</button>
        {names.agents.map((agent) => <button type="button" key={agent} onClick={() => (shown.value = only(agent))}>what {agent} sees</button>)}
        {names.variables.map(({ owner, name }, place) => (
          <label key={`${owner}.${name}`} class={`agent-box c${colourOf(names, owner)}`}>
            <input type="checkbox" checked={current.has(place)} onChange={() => (shown.value = toggled(current, place))} />{owner}.{name}
          </label>
        ))}
      </div>
    </details>
  );
}

function Saying({ canAnnounce }: { canAnnounce: boolean }) {
  const text = useSignal("");
  return (
    <div class="toolbar wrap saying">
      <form class="find" onSubmit={(event) => (event.preventDefault(), void colour())}>
        <label class="choice"><span>Colour where</span>
          <input type="text" placeholder="a formula" value={colouring.value} onInput={(event) => (colouring.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Colour</button>
      </form>
      {canAnnounce ? (
        <form class="find" onSubmit={(event) => (event.preventDefault(), void announce(text.value), (text.value = ""))}>
          <label class="choice"><span>Announce</span>
            <input type="text" placeholder="a formula without time" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
          </label>
          <button type="submit" class="primary">Announce</button>
        </form>
      ) : <span class="quiet-text">Announcing needs all worlds, and these are a sample.</span>}
      {said.value.map((each, place) => <span class="chip plain" key={`${each}${place}`}>“{each}” {counts.value[place] ?? "…"} worlds left</span>)}
      {said.value.length > 0 && <button type="button" onClick={unsay}>Take back</button>}
    </div>
  );
}

function ChosenWorld({ names, found, members }: { names: Names; found: GraphData; members: readonly number[] }) {
  const [first] = members;
  const state = first === undefined ? undefined : found.states[first];
  if (state === undefined) return null;
  return (
    <section class="card" aria-label="the chosen world">
      <p>{names.variables.map(({ owner, name }, place) => `${owner}.${name} = ${state[place]}`).join(", ")}{members.length > 1 ? ` and ${members.length - 1} more states` : ""}</p>
      <p class="buttons"><button type="button" onClick={() => { view.value = "explore"; setTimeout(() => start(state), 0); }}>Explore from here</button></p>
    </section>
  );
}
