import type { Signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Shown } from "../parts";
import { colourOf, type Names } from "../values";
import type { Column, RunData } from "../wire";

/// The height of a row; all have the same, so that those in sight are known without looking at others.
export const ROW = 28;
const MORE = 6;

/// What of a path is shown.
export interface Filter {
  /// The agents whose variables and actions are hidden.
  hidden: ReadonlySet<string>;
  /// Only variables whose names have this in them.
  text: string;
  /// Only these places of variables; null for all.
  only: ReadonlySet<number> | null;
}

/// The rows of a scrolled box that are in sight, and some more on both sides.
export function inSight(top: number, height: number, count: number): { first: number; last: number } {
  const first = Math.max(0, Math.floor(top / ROW) - MORE);
  return { first, last: Math.min(count, Math.ceil((top + height) / ROW) + MORE) };
}

/// The places of the variables that are shown.
export function shownVariables(names: Names, filter: Filter): number[] {
  const wanted = filter.text.toLowerCase();
  return names.variables.flatMap(({ owner, name }, place) => {
    const fits = `${owner}.${name}`.toLowerCase().includes(wanted);
    return !filter.hidden.has(owner) && fits && (filter.only === null || filter.only.has(place)) ? [place] : [];
  });
}

interface Props {
  names: Names;
  run: RunData;
  filter: Filter;
  columns: readonly Column[];
  step: Signal<number>;
  other: Signal<number | null>;
}

/// A path as a table: a row for each state, of which only those in sight are in the page.
export function TraceTable({ names, run, filter, columns, step, other }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const watcher = new ResizeObserver(() => setHeight(place.clientHeight));
    watcher.observe(place);
    return () => watcher.disconnect();
  }, []);
  const { value: at } = step;
  useEffect(() => {
    if (box.current !== null) keepInView(box.current, at);
  }, [at]);
  const variables = useMemo(() => shownVariables(names, filter), [names, filter]);
  const actors = names.agents.flatMap((agent, place) => (hasActions(run, place) && !filter.hidden.has(agent) ? [place] : []));
  const grid = gridOf(names, run, actors, variables, columns);
  const { first, last } = inSight(top, height, run.states.length);
  const rows = [];
  for (let place = first; place < last; place++) {
    rows.push(<Row key={place} {...{ names, run, place, actors, variables, columns, grid }} isHere={place === at}
      isOther={place === other.value} pick={(both) => (both ? (other.value = place) : (step.value = place))} />);
  }
  const count = run.states.length;
  return (
    <div class="trace-table" ref={box} tabIndex={0} role="grid" style={{ height: `${count * ROW + 64}px` }} aria-rowcount={count + 1} aria-label="the path, a row for each state"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)} onKeyDown={(event) => moved(event, step, count)}>
      <Header {...{ names, actors, variables, columns, grid }} />
      <div class="trace-body" role="rowgroup" style={{ height: `${count * ROW}px` }}>
        <div class="trace-rows" role="presentation" style={{ transform: `translateY(${first * ROW}px)` }}>{rows}</div>
      </div>
    </div>
  );
}

function hasActions(run: RunData, agent: number): boolean {
  return run.actions.some((joint) => joint[agent] !== null && joint[agent] !== undefined);
}

/// The widths of columns: as wide as the longest of the first values, within reason.
function gridOf(names: Names, run: RunData, actors: number[], variables: number[], columns: readonly Column[]): string {
  const sample = run.states.slice(0, 50);
  const wide = (texts: string[]) => `${Math.min(28, Math.max(4, ...texts.map((text) => text.length)) + 3)}ch`;
  const acts = actors.map((place) => wide([names.agents[place] ?? "", ...run.actions.slice(0, 50).map((joint) => joint[place] ?? "")]));
  const values = variables.map((place) => wide([names.variables[place]?.name ?? "", ...sample.map((state) => String(state[place]))]));
  const more = columns.map((each) => wide([each.text, "false"]));
  return ["7ch", ...acts, ...values, ...more].join(" ");
}

interface Parts {
  names: Names;
  actors: number[];
  variables: number[];
  columns: readonly Column[];
  grid: string;
}

function Header({ names, actors, variables, columns, grid }: Parts) {
  return (
    <div class="trace-head" role="rowgroup">
      <div class="trace-row" role="row" aria-rowindex={1} style={{ gridTemplateColumns: grid }}>
        <span class="cell head corner" role="columnheader">step</span>
        {actors.map((place) => (
          <span key={`a${place}`} class={`cell head agent c${place % 8}`} role="columnheader" title={`what ${names.agents[place]} does`}>
            <small>does</small>{names.agents[place]}
          </span>
        ))}
        {variables.map((place) => {
          const { owner, name } = names.variables[place] ?? { owner: "", name: "" };
          return <span key={place} class={`cell head c${colourOf(names, owner)}`} role="columnheader" title={`${owner}.${name}`}><small>{owner}</small>{name}</span>;
        })}
        {columns.map((each) => <span key={each.text} class="cell head watched" role="columnheader" title={each.problem ?? each.text}><small>watched</small>{each.text}</span>)}
      </div>
    </div>
  );
}

interface RowProps extends Parts {
  run: RunData;
  place: number;
  isHere: boolean;
  isOther: boolean;
  pick: (both: boolean) => void;
}

function Row({ names, run, place, actors, variables, columns, grid, isHere, isOther, pick }: RowProps) {
  const state = run.states[place] ?? [];
  const before = place > 0 ? run.states[place - 1] : undefined;
  const joint = run.actions[place] ?? [];
  const inLoop = run.loop !== null && place >= run.loop;
  const isBeyond = run.end !== null && place > run.end;
  const marks = `${isHere ? " here" : ""}${isOther ? " other" : ""}${inLoop ? " in-loop" : ""}${isBeyond ? " beyond" : ""}`;
  return (
    <div class={`trace-row${marks}`} role="row" aria-rowindex={place + 2} aria-current={isHere ? "step" : undefined}
      style={{ gridTemplateColumns: grid }} onClick={(event) => pick(event.shiftKey)}>
      <span class="cell number" role="rowheader">{place}{place === run.loop ? " ↺" : ""}{place === run.end ? " ◆" : ""}</span>
      {actors.map((agent) => <span key={`a${agent}`} class={`cell act c${agent % 8}`} role="gridcell">{joint[agent] ?? ""}</span>)}
      {variables.map((variable) => {
        const isNew = before !== undefined && before[variable] !== state[variable];
        const owner = names.variables[variable]?.owner ?? "";
        return <span key={variable} class={isNew ? `cell new c${colourOf(names, owner)}` : "cell"} role="gridcell"><Shown value={state[variable]} /></span>;
      })}
      {columns.map((each) => <span key={each.text} class="cell watched" role="gridcell"><Shown value={each.values[place]} /></span>)}
    </div>
  );
}

function keepInView(place: HTMLElement, step: number): void {
  const head = place.querySelector<HTMLElement>(".trace-head")?.offsetHeight ?? 0;
  const top = step * ROW;
  if (top < place.scrollTop) place.scrollTop = top;
  else if (top + ROW + head > place.scrollTop + place.clientHeight) place.scrollTop = top + ROW + head - place.clientHeight;
}

const JUMPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };

function moved(event: KeyboardEvent, step: Signal<number>, count: number): void {
  const jump = JUMPS[event.key];
  if (jump === undefined) return;
  event.preventDefault();
  step.value = Math.min(Math.max(step.value + jump, 0), count - 1);
}

/// The next row after a place in which a text stands, round to the beginning; -1 if there is none.
export function found(names: Names, run: RunData, text: string, after: number): number {
  const wanted = text.toLowerCase();
  const has = (row: number) =>
    (run.states[row] ?? []).some((value, place) => `${names.variables[place]?.name}=${value}`.toLowerCase().includes(wanted)) ||
    (run.actions[row] ?? []).some((action) => (action ?? "").toLowerCase().includes(wanted));
  for (let by = 1; by <= run.states.length; by++) {
    const row = (after + by) % run.states.length;
    if (has(row)) return row;
  }
  return -1;
}
