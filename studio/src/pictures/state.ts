import { batch, computed, signal } from "@preact/signals";
import { model, understand } from "../model/state";
import { fileRun, ownRuns, runOf } from "../questions/state";
import { ask, inWords, wasForgotten } from "../server";
import { here } from "../explore/state";
import type { EvidenceData, GraphData } from "../wire";

/// What is drawn: the reachable states, those around the state of the simulator, or a strategy.
export const KINDS = ["states", "around", "strategy"] as const;
export type Kind = (typeof KINDS)[number];

export const kind = signal<Kind>("states");
export const graph = signal<GraphData | null>(null);
export const trouble = signal<string | null>(null);
/// The variables that are drawn; null for all.
export const shown = signal<ReadonlySet<number> | null>(null);
/// The agents whose doubts are drawn.
export const doubting = signal<ReadonlySet<string>>(new Set());
/// A formula that colours worlds, the states where it holds, and what was announced.
export const colouring = signal("");
export const holds = signal<ReadonlySet<number> | null>(null);
export const said = signal<readonly string[]>([]);
export const counts = signal<readonly number[]>([]);
export const left = signal<ReadonlySet<number>>(new Set());
export const chosen = signal<string | null>(null);

/// The answers that a strategy shows.
export const strategies = computed(() =>
  [fileRun.value, ...ownRuns.value.map((each) => each.run)]
    .flatMap((run) => (run?.model === model.value ? (run?.done?.answers ?? []) : []))
    .filter((each) => each.explained === "strategy"));
export const strategy = signal<string | null>(null);
/// The evidence with the strategy that is drawn: it is told in few rows beside the picture.
export const decided = signal<EvidenceData | null>(null);
let turn = 0;

/// Draw what is chosen.
export async function draw(): Promise<void> {
  const mine = ++turn;
  const current = model.value;
  if (current === null) return;
  try {
    const found = await fetched(current);
    if (mine !== turn || found === null) return;
    batch(() => {
      graph.value = found;
      left.value = new Set(found.states.keys());
      said.value = [];
      counts.value = [];
      chosen.value = null;
      trouble.value = null;
    });
    await colour();
  } catch (error) {
    if (wasForgotten(error)) return void understand().then(draw);
    if (mine === turn) trouble.value = inWords(error);
  }
}

async function fetched(current: string): Promise<GraphData | null> {
  switch (kind.value) {
    case "states":
      return ask("graph", { model: current, most: 300, around: null }).done;
    case "around":
      return ask("graph", { model: current, most: 40, around: here.value === null ? null : [...here.value] }).done;
    case "strategy": {
      const place = runOf.get(strategy.value ?? strategies.value[0]?.text ?? "");
      if (place === undefined) return null;
      const [play, why] = await Promise.all([ask("play", place).done, ask("why", place).done]);
      decided.value = why.evidence;
      return play;
    }
  }
}

/// Colour the worlds where a formula holds, after all that was announced.
export async function colour(): Promise<void> {
  const found = graph.value;
  const current = model.value;
  if (found === null || current === null) return;
  const text = colouring.value.trim();
  try {
    if (said.value.length > 0) await announced(found, current, text);
    else if (text === "") holds.value = null;
    else {
      const { columns } = await ask("watch", { model: current, expressions: [text], states: found.states }).done;
      const [column] = columns;
      if (column?.problem) trouble.value = column.problem;
      else trouble.value = null;
      holds.value = column === undefined || column.problem !== null ? null : new Set(column.values.flatMap((value, place) => (value === true ? [place] : [])));
    }
  } catch (error) {
    trouble.value = inWords(error);
  }
}

/// Say something in all worlds: those where it is false are gone.
export async function announce(text: string): Promise<void> {
  if (text.trim() === "") return;
  const before = said.value;
  said.value = [...before, text.trim()];
  await colour();
  if (trouble.value !== null) said.value = before;
}

async function announced(found: GraphData, current: string, text: string): Promise<void> {
  const worlds = found.states.filter((_, place) => found.fair[place]);
  const place = found.states.flatMap((_, number) => (found.fair[number] ? [number] : []));
  const answer = await ask("announce", { model: current, states: worlds, said: [...said.value], asked: text }).done;
  const back = (numbers: number[]) => new Set(numbers.map((each) => place[each] ?? each));
  batch(() => {
    left.value = back(answer.left);
    counts.value = answer.counts;
    holds.value = text === "" ? null : back(answer.holds);
    trouble.value = null;
  });
}

/// Take back all announcements.
export function unsay(): void {
  batch(() => {
    said.value = [];
    counts.value = [];
    left.value = new Set(graph.value?.states.keys() ?? []);
  });
  void colour();
}
