import { signal } from "@preact/signals";
import { chosen, file, text } from "../model/state";
import { ask, inWords } from "../server";
import type { Answer } from "../wire";
import { options } from "./state";

/// One run of an experiment: the constants, and what became of formulas of one name.
export interface Point {
  constants: Record<string, string>;
  states: string | null;
  seconds: number | null;
  cells: Record<string, Cell>;
  trouble: string | null;
}

export interface Cell {
  text: string;
  isExpected: boolean;
  seconds: number;
}

export const points = signal<Point[]>([]);
export const isRunning = signal(false);
export const trouble = signal<string | null>(null);
let cancelled = false;
/// More runs than a table that is looked at has.
const MOST = 60;

/// The values that are meant by `2..6`, `2, 4, 8` or `3`; what is no range is taken as it is written.
export function valuesOf(written: string): string[] {
  const set = /^\s*\{.*\}\s*$/.test(written);
  return (set ? [written.trim()] : written.split(",")).flatMap((part) => {
    const range = /^\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$/.exec(part);
    if (range === null) return part.trim() === "" ? [] : [part.trim()];
    const [first, last] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: Math.min(Math.max(last - first + 1, 0), MOST + 1) }, (_, place) => String(first + place));
  });
}

/// One value for each constant, for all that are given: the first slowest.
export function combinations(written: Readonly<Record<string, string>>): Record<string, string>[] {
  return Object.entries(written).reduce<Record<string, string>[]>(
    (before, [name, values]) => before.flatMap((each) => valuesOf(values).map((value) => ({ ...each, [name]: value }))), [{}]);
}

/// What became of formulas that are called alike but for their arguments; others go by their number.
export function cellsOf(answers: readonly Answer[]): Record<string, Cell> {
  const named = new Map<string, Answer[]>();
  for (const each of answers) {
    const key = each.name?.split("(")[0] ?? `#${each.number}`;
    named.set(key, [...(named.get(key) ?? []), each]);
  }
  return Object.fromEntries([...named].map(([key, found]) => [key, {
    text: counted(found.map((each) => each.verdict)),
    isExpected: found.every((each) => each.verdict === each.expected),
    seconds: found.reduce((sum, each) => sum + each.seconds, 0),
  }]));
}

function counted(words: readonly string[]): string {
  const kinds = [...new Set(words)];
  return kinds.length === 1 ? (kinds[0] ?? "") : kinds.map((kind) => `${words.filter((each) => each === kind).length} ${kind}`).join(", ");
}

/// Check the formulas of the file for all values, one run after the other.
export async function experiment(written: Readonly<Record<string, string>>, formula: string): Promise<void> {
  const all = combinations(written);
  trouble.value = all.length > MOST ? `these are more than ${MOST} runs` : all.length === 0 ? "there is no value to begin with" : null;
  if (trouble.value !== null) return;
  points.value = [];
  isRunning.value = true;
  cancelled = false;
  for (const constants of all) {
    if (cancelled) break;
    points.value = [...points.value, await measured(constants, formula.trim())];
  }
  isRunning.value = false;
}

async function measured(constants: Record<string, string>, formula: string): Promise<Point> {
  const path = file.value?.path ?? "model.ispl";
  const point: Point = { constants, states: null, seconds: null, cells: {}, trouble: null };
  try {
    const read = await ask("open", { name: path, text: text.value, constants: { ...chosen.value[path], ...constants } }).done;
    if (read.facts === null) return { ...point, trouble: read.problems[0]?.message ?? "this is no model" };
    const wanted = { ...options.value, evidence: "none" as const };
    const done = await ask("check", { model: read.model, formulas: formula === "" ? null : [formula], options: wanted }).done;
    return { ...point, states: done.states, seconds: done.seconds, cells: cellsOf(done.answers) };
  } catch (error) {
    return { ...point, trouble: inWords(error) };
  }
}

/// Begin no more runs.
export function stop(): void {
  cancelled = true;
}

/// The table as comma-separated values.
export function asTable(found: readonly Point[]): string[][] {
  const names = Object.keys(found[0]?.constants ?? {});
  const columns = [...new Set(found.flatMap((each) => Object.keys(each.cells)))];
  const rows = found.map((each) => [
    ...names.map((name) => each.constants[name] ?? ""), each.states ?? "", ...columns.map((column) => each.cells[column]?.text ?? ""),
    each.seconds === null ? "" : String(each.seconds), each.trouble ?? "",
  ]);
  return [[...names, "states", ...columns, "seconds", "trouble"], ...rows];
}
