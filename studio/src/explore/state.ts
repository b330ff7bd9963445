import { batch, computed, signal } from "@preact/signals";
import { isTexts, kept } from "../kept";
import { model, understand } from "../model/state";
import { ask, inWords, wasForgotten } from "../server";
import type { State } from "../values";
import type { Known, RunData, Situation, States, WhyNot } from "../wire";

/// One step of the walk: a state, and the joint action that led there.
export interface Stop {
  state: State;
  action: readonly (string | null)[] | null;
}

/// The path walked so far, and where on it one stands: what is beyond is a branch that was left.
export const path = signal<Stop[]>([]);
export const position = signal(0);
export const initial = signal<States | null>(null);
export const situation = signal<Situation | null>(null);
export const only = signal<Record<string, string>>({});
export const whyNot = signal<{ title: string; found: WhyNot } | null>(null);
export const trouble = signal<string | null>(null);
/// Whose view is looked at, and what it takes for possible.
export const viewer = signal<string | null>(null);
export const worlds = signal<States | null>(null);
export const formulas = kept<string[]>("known-formulas", [], isTexts);
export const known = signal<Known[]>([]);
/// A path of evidence that is followed.
export const trail = signal<RunData | null>(null);

export const here = computed<State | null>(() => path.value[position.value]?.state ?? null);
let turn = 0;

async function guarded<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    const found = await work();
    trouble.value = null;
    return found;
  } catch (error) {
    if (wasForgotten(error)) await understand();
    trouble.value = inWords(error);
    return null;
  }
}

/// Look for initial states, of those that satisfy a condition.
export async function findInitial(where = ""): Promise<void> {
  const current = model.value;
  if (current === null) return;
  const found = await guarded(() => ask("begin", { model: current, where }).done);
  if (found === null) return;
  initial.value = found;
  if (path.value.length === 0 && found.states[0] !== undefined) start(found.states[0]);
}

/// Begin at a state.
export function start(state: State): void {
  path.value = [{ state, action: null }];
  go(0);
}

/// Take a step; a branch that was left behind is given up.
export function step(action: readonly (string | null)[], state: State): void {
  path.value = [...path.value.slice(0, position.value + 1), { state, action }];
  go(position.value + 1);
}

/// Stand at a place of the path.
export function go(place: number): void {
  batch(() => {
    position.value = Math.min(Math.max(place, 0), path.value.length - 1);
    only.value = {};
    whyNot.value = null;
  });
  void lookAround();
}

/// Walk along a path somebody else has found.
export function follow(run: RunData): void {
  const stops = run.states.map((state, place): Stop => ({ state, action: place === 0 ? null : (run.actions[place - 1] ?? null) }));
  path.value = stops;
  trail.value = run;
  go(0);
}

/// What can be done here, and who knows what.
export async function lookAround(): Promise<void> {
  const mine = ++turn;
  const current = model.value;
  const state = here.value;
  if (current === null || state === null) return;
  const values = [...state];
  const found = await guarded(() => ask("moves", { model: current, state: values, only: only.value }).done);
  if (mine !== turn) return;
  situation.value = found;
  const agent = viewer.value;
  const [alike, facts] = await Promise.all([
    agent === null ? null : guarded(() => ask("possible", { model: current, state: values, agents: [agent] }).done),
    formulas.value.length === 0 ? null : guarded(() => ask("known", { model: current, state: values, formulas: formulas.value }).done),
  ]);
  if (mine !== turn) return;
  batch(() => {
    worlds.value = alike;
    known.value = facts?.known ?? [];
  });
}

/// Only joint actions in which an agent does this; once more takes it back.
export function restrict(agent: string, action: string): void {
  const { [agent]: before, ...rest } = only.value;
  only.value = before === action ? rest : { ...rest, [agent]: action };
  void lookAround();
}

/// Some random steps.
export async function wander(steps: number): Promise<void> {
  const current = model.value;
  const state = here.value;
  if (current === null) return;
  const seed = Math.floor(Math.random() * 1e9);
  const found = await guarded(() => ask("walk", { model: current, state: state === null ? null : [...state], steps, seed }).done);
  if (found === null) return;
  const stops = found.run.states.slice(1).map((next, place): Stop => ({ state: next, action: found.run.actions[place] ?? null }));
  path.value = [...path.value.slice(0, position.value + 1), ...stops];
  go(path.value.length - 1);
}

/// Go to a reachable state where a formula holds, by a shortest path.
export async function jump(formula: string): Promise<void> {
  const current = model.value;
  if (current === null || formula.trim() === "") return;
  const options = { evidence: "all" as const };
  const done = await guarded(() => ask("check", { model: current, formulas: [`AG !(${formula})`], options }).done);
  if (done === null) return;
  const [answer] = done.answers;
  if (answer?.verdict !== "false" || answer.explained === null) {
    trouble.value = answer?.verdict === "true" ? "no reachable state satisfies it" : (answer?.reason ?? "not found");
    return;
  }
  const found = await guarded(() => ask("why", { run: done.run, number: 1 }).done);
  const run = found?.evidence.traces[0]?.run;
  if (run === undefined) return;
  const end = run.end ?? run.states.length - 1;
  follow({ states: run.states.slice(0, end + 1), actions: run.actions.slice(0, end), loop: null, end: null });
  go(end);
}

/// Ask why an agent cannot do something here, or which of its lines do not fire with a joint action.
export async function askWhyNot(agent: string, wanted: string | null, action: (string | null)[] | null): Promise<void> {
  const current = model.value;
  const state = here.value;
  if (current === null || state === null) return;
  const found = await guarded(() => ask("whynot", { model: current, state: [...state], agent, wanted, action }).done);
  if (found !== null) whyNot.value = { title: wanted === null ? `The Evolution of ${agent}` : `Why ${agent} cannot do ${wanted}`, found };
}

/// Look through the eyes of an agent.
export function choose(agent: string | null): void {
  viewer.value = agent;
  worlds.value = null;
  void lookAround();
}

export function addFormula(text: string): void {
  const wanted = text.trim();
  if (wanted === "" || formulas.value.includes(wanted)) return;
  formulas.value = [...formulas.value, wanted];
  void lookAround();
}

export function dropFormula(text: string): void {
  formulas.value = formulas.value.filter((each) => each !== text);
  known.value = known.value.filter((each) => each.text !== text);
}

/// Another model: nothing of the old walk makes sense in it.
export function reset(): void {
  batch(() => {
    path.value = [];
    position.value = 0;
    initial.value = null;
    situation.value = null;
    worlds.value = null;
    known.value = [];
    trail.value = null;
    trouble.value = null;
    viewer.value = null;
  });
}
