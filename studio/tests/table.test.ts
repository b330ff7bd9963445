import { describe, expect, it } from "vitest";
import { found, inSight, ROW, shownVariables, type Filter } from "../src/why/TraceTable";
import type { Names } from "../src/values";

const names: Names = {
  agents: ["A", "B"],
  variables: Array.from({ length: 60 }, (_, k) => ({ owner: k % 2 ? "B" : "A", name: `v${k}`, seen: [] })),
};
const all: Filter = { hidden: new Set(), text: "", only: null };

describe("a table of ten thousand rows", () => {
  it("has only those in sight in the page", () => {
    const { first, last } = inSight(5_000 * ROW, 700, 10_000);
    expect(first).toBeLessThanOrEqual(5_000);
    expect(last - first).toBeLessThan(50);
    expect(inSight(0, 700, 3)).toEqual({ first: 0, last: 3 });
  });
  it("is searched in rows that are not in the page", () => {
    const states = Array.from({ length: 10_000 }, (_, k) => names.variables.map(() => (k === 9_000 ? "here" : 0)));
    const run = { states, actions: [["go", null]], loop: null, end: null };
    expect(found(names, run, "v3=here", 0)).toBe(9_000);
    expect(found(names, run, "go", 9_000)).toBe(0);
    expect(found(names, run, "nowhere", 0)).toBe(-1);
  });
  it("shows what is asked for", () => {
    expect(shownVariables(names, all)).toHaveLength(60);
    expect(shownVariables(names, { ...all, hidden: new Set(["A"]) })).toHaveLength(30);
    expect(shownVariables(names, { ...all, text: "V59" })).toEqual([59]);
    expect(shownVariables(names, { ...all, only: new Set([4]) })).toEqual([4]);
  });
});
