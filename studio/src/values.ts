import type { RunData, VariableData } from "./wire";

/// A value of a variable.
export type Value = boolean | number | string;
/// The values of all variables, in the order of the model.
export type State = readonly Value[];

/// The names behind the values.
export interface Names {
  readonly agents: readonly string[];
  readonly variables: readonly VariableData[];
}

/// How often a colour comes again.
export const COLOURS = 8;

/// The number of an agent's colour.
export function colourOf(names: Names, agent: string): number {
  return Math.max(names.agents.indexOf(agent), 0) % COLOURS;
}

/// A state as the condition of InitStates that only it satisfies.
export function asInitStates(names: Names, state: State): string {
  const parts = names.variables.map(({ owner, name }, place) => `${owner}.${name}=${state[place]}`);
  return `InitStates\n  ${parts.join(" and\n  ")};\nend InitStates`;
}

/// A state as a formula: the propositions that hold, and those that do not.
export function asFormula(holds: readonly { name: string; holds: boolean }[]): string {
  return holds.map((each) => (each.holds ? each.name : `!${each.name}`)).join(" and ") || "true";
}

/// A path as a formula: each state, and next the following one.
export function traceAsFormula(states: readonly string[]): string {
  const [last, ...before] = [...states].reverse();
  return before.reduce((rest, state) => `(${state}) and EX (${rest})`, last ?? "true");
}

/// The places of variables that differ between two states.
export function differences(before: State, after: State): number[] {
  return after.flatMap((value, place) => (before[place] === value ? [] : [place]));
}

/// A path as comma-separated values, with every row.
export function asCsv(names: Names, run: RunData, more: readonly { text: string; values: readonly unknown[] }[]): string {
  const header = ["step", ...names.agents.map((agent) => `${agent} does`),
    ...names.variables.map(({ owner, name }) => `${owner}.${name}`), ...more.map((each) => each.text)];
  const rows = run.states.map((state, step) => [
    step, ...names.agents.map((_, place) => run.actions[step]?.[place] ?? ""), ...state,
    ...more.map((each) => each.values[step] ?? ""),
  ]);
  return csv([header, ...rows]);
}

/// Rows as comma-separated values.
export function csv(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

function cell(value: unknown): string {
  const text = String(value);
  return /[",\n]|^[=+@-]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/// Have the browser keep a text as a file.
export function download(name: string, content: BlobPart, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
