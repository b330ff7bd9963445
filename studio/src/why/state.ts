import { batch, signal } from "@preact/signals";
import { isTexts, kept } from "../kept";
import { model, understand } from "../model/state";
import { runOf } from "../questions/state";
import { ask, inWords, wasForgotten } from "../server";
import type { Column, Fired, Why } from "../wire";
import type { State } from "../values";
import { view } from "../views";
import type { RunData } from "../wire";

export const why = signal<Why | null>(null);
export const whyTrouble = signal<string | null>(null);
/// Which path of the evidence is looked at, where on it, and which other position it is compared with.
export const trace = signal(0);
export const step = signal(0);
export const other = signal<number | null>(null);
export const fired = signal<Fired | null>(null);
/// The expressions that are watched, and their values along the path.
export const watched = kept<string[]>("watched", [], isTexts);
export const columns = signal<Column[]>([]);

/// Show why a formula has its verdict.
export async function askWhy(text: string): Promise<void> {
  const place = runOf.get(text);
  if (place === undefined) return;
  try {
    const found = await ask("why", place).done;
    asked = place;
    seen.clear();
    show(found);
  } catch (error) {
    whyTrouble.value = inWords(error);
  }
  view.value = "why";
}

/// The answer that is explained, and where other paths for it were sought: what was seen there.
let asked: { run: number; number: number } | null = null;
const seen = new Map<string, State[]>();
/// What came of looking for another path.
export const anotherTrouble = signal<string | null>(null);

/// Another path: from another initial state, or, at a step, by another successor.
export async function askAnother(from: number | null): Promise<void> {
  const run = currentRun();
  const current = asked;
  const avoided = run?.states[from === null ? 0 : from + 1] ?? (run?.loop === null || run === null ? undefined : run.states[run.loop]);
  if (run === null || current === null || avoided === undefined) return;
  const states = from === null ? [] : run.states.slice(0, from + 1);
  const key = JSON.stringify(states);
  const avoid = [...(seen.get(key) ?? []), avoided];
  seen.set(key, avoid);
  try {
    const found = await ask("another", { ...current, states, avoid: avoid.map((each) => [...each]) }).done;
    show(found.why);
    step.value = Math.min(from ?? 0, (currentRun()?.states.length ?? 1) - 1);
  } catch (error) {
    anotherTrouble.value = inWords(error);
  }
}

function show(found: Why): void {
  batch(() => {
    anotherTrouble.value = null;
    why.value = found;
    whyTrouble.value = null;
    trace.value = longest(found);
    step.value = 0;
    other.value = null;
    fired.value = null;
  });
  void rewatch();
}

/// The path to begin with: that of the outermost proof that goes somewhere.
function longest(found: Why): number {
  const place = found.evidence.traces.findIndex((each) => each.run.states.length > 1);
  return Math.max(place, 0);
}

/// The path that is looked at.
export function currentRun(): RunData | null {
  return why.value?.evidence.traces[trace.value]?.run ?? null;
}

/// The path after the one that is looked at.
export function chooseTrace(place: number): void {
  batch(() => {
    trace.value = place;
    step.value = 0;
    other.value = null;
    fired.value = null;
  });
  void rewatch();
}

/// Evaluate what is watched along the path; nothing is checked again.
export async function rewatch(): Promise<void> {
  const run = currentRun();
  const current = model.value;
  if (run === null || current === null || watched.value.length === 0) {
    columns.value = [];
    return;
  }
  try {
    const found = await ask("watch", { model: current, expressions: watched.value, states: run.states }).done;
    if (run === currentRun()) columns.value = found.columns;
  } catch (error) {
    if (wasForgotten(error)) return void understand().then(rewatch);
    whyTrouble.value = inWords(error);
  }
}

export function addWatch(text: string): void {
  const wanted = text.trim();
  if (wanted === "" || watched.value.includes(wanted)) return;
  watched.value = [...watched.value, wanted];
  void rewatch();
}

export function dropWatch(text: string): void {
  watched.value = watched.value.filter((each) => each !== text);
  columns.value = columns.value.filter((each) => each.text !== text);
}

/// Ask which lines of the model made the step that leads on from a position.
export async function askFired(position: number): Promise<void> {
  const run = currentRun();
  const current = model.value;
  const before = run?.states[position];
  const action = run?.actions[position];
  const after = run?.states[position + 1] ?? (run?.loop === null || run === null ? undefined : run.states[run.loop]);
  if (current === null || before === undefined || action === undefined || after === undefined || action.length === 0) {
    fired.value = null;
    return;
  }
  const found = await ask("fired", { model: current, before, action, after }).done.catch(() => null);
  if (position === step.value) fired.value = found;
}
