import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1:1", hash: "", pathname: "/" });
vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { asTable, cellsOf, combinations, valuesOf } = await import("../src/questions/experiment");

const ANSWER = {
  number: 1, name: null, text: "p", logic: "CTL", verdict: "true", expected: "true", reason: null, seconds: 1, engine: "bdd", atl: null,
  explained: null, left_out: null, pending: false, warnings: [],
} as const;

describe("an experiment", () => {
  it("takes ranges, lists, single values and sets", () => {
    expect(valuesOf("2..4")).toEqual(["2", "3", "4"]);
    expect(valuesOf("2, 4..5,9")).toEqual(["2", "4", "5", "9"]);
    expect(valuesOf("{a, b}")).toEqual(["{a, b}"]);
    expect(valuesOf("5..2")).toEqual([]);
  });
  it("has one value for each constant, the first slowest", () => {
    expect(combinations({ n: "1..2", m: "7,8" })).toEqual([{ n: "1", m: "7" }, { n: "1", m: "8" }, { n: "2", m: "7" }, { n: "2", m: "8" }]);
  });
  it("tells formulas of one name together", () => {
    const answers = [{ ...ANSWER, name: "told(1)" }, { ...ANSWER, name: "told(2)", verdict: "false" as const }, { ...ANSWER, number: 3 }];
    const cells = cellsOf(answers.map((each) => ({ ...each, warnings: [] })));
    expect(cells["told"]).toMatchObject({ text: "1 true, 1 false", isExpected: false });
    expect(cells["#3"]).toMatchObject({ text: "true", isExpected: true });
    const [header, row] = asTable([{ constants: { n: "2" }, states: "16", seconds: 0.1, cells, trouble: null }]);
    expect(header).toEqual(["n", "states", "told", "#3", "seconds", "trouble"]);
    expect(row).toEqual(["2", "16", "1 true, 1 false", "true", "0.1", ""]);
  });
});
