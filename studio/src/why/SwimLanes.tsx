import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { differences, type Names, type State } from "../values";
import type { RunData } from "../wire";

const LANE = 74;
const MORE = 4;

/// A path as lanes: time goes down, an agent has a lane, and each step says what it does and what becomes of it.
export function SwimLanes({ names, run, hidden, step }: { names: Names; run: RunData; hidden: ReadonlySet<string>; step: Signal<number> }) {
  const [top, setTop] = useState(0);
  const shown = names.agents.flatMap((agent, place) => (hidden.has(agent) ? [] : [place]));
  const first = Math.max(0, Math.floor(top / LANE) - MORE);
  const last = Math.min(run.states.length, first + Math.ceil(900 / LANE) + 2 * MORE);
  const grid = { gridTemplateColumns: `5ch repeat(${shown.length}, minmax(9rem, 1fr))` };
  const rows = [];
  for (let place = first; place < last; place++) rows.push(<Lane key={place} {...{ names, run, place, shown, grid, step }} />);
  return (
    <div class="lanes" tabIndex={0} role="region" aria-label="swim lanes" onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <div class="lane-head" style={grid}>
        <span />
        {shown.map((place) => <span key={place} class={`lane-name c${place % 8}`}>{names.agents[place]}</span>)}
      </div>
      <div style={{ height: `${run.states.length * LANE}px` }}>
        <div style={{ transform: `translateY(${first * LANE}px)` }}>{rows}</div>
      </div>
    </div>
  );
}

interface LaneProps {
  names: Names;
  run: RunData;
  place: number;
  shown: number[];
  grid: { gridTemplateColumns: string };
  step: Signal<number>;
}

function Lane({ names, run, place, shown, grid, step }: LaneProps) {
  const state = run.states[place] ?? [];
  const before = place > 0 ? run.states[place - 1] : undefined;
  const joint = run.actions[place] ?? [];
  const isHere = step.value === place;
  return (
    <div class={`lane-row${isHere ? " here" : ""}`} style={{ ...grid, height: `${LANE}px` }}>
      <button type="button" class="link number" aria-current={isHere ? "step" : undefined} aria-label={`step ${place}`} onClick={() => (step.value = place)}>
        {place}{place === run.loop ? " ↺" : ""}
      </button>
      {shown.map((agent) => (
        <div key={agent} class={`lane c${agent % 8}`}>
          <p class="lane-state" title={said(names, agent, state)}>{before === undefined ? said(names, agent, state) : changed(names, agent, before, state)}</p>
          {joint[agent] !== null && joint[agent] !== undefined && <span class="deed">{joint[agent]}</span>}
        </div>
      ))}
    </div>
  );
}

function own(names: Names, agent: number): number[] {
  return names.variables.flatMap((each, place) => (each.owner === names.agents[agent] ? [place] : []));
}

function said(names: Names, agent: number, state: State): string {
  return own(names, agent).map((place) => `${names.variables[place]?.name} = ${state[place]}`).join(", ");
}

function changed(names: Names, agent: number, before: State, state: State): string {
  const mine = new Set(own(names, agent));
  return differences(before, state).filter((place) => mine.has(place)).map((place) => `${names.variables[place]?.name} → ${state[place]}`).join(", ");
}
