import { describe, expect, it } from "vitest";
import { asCsv, asFormula, asInitStates, differences, traceAsFormula, type Names } from "../src/values";

const names: Names = { agents: ["A", "B"], variables: [{ owner: "A", name: "x", seen: ["A"] }, { owner: "B", name: "y", seen: ["A", "B"] }] };

describe("states as text", () => {
  it("is a condition that only the state satisfies", () => {
    expect(asInitStates(names, [1, true])).toBe("InitStates\n  A.x=1 and\n  B.y=true;\nend InitStates");
  });
  it("is a formula over propositions", () => {
    expect(asFormula([{ name: "p", holds: true }, { name: "q", holds: false }])).toBe("p and !q");
    expect(asFormula([])).toBe("true");
  });
  it("is a formula of a path", () => {
    expect(traceAsFormula(["p", "q", "r"])).toBe("(p) and EX ((q) and EX (r))");
  });
  it("finds what differs", () => {
    expect(differences([1, 2, 3], [1, 5, 3])).toEqual([1]);
  });
  it("exports every row, and no cell is a formula of a spreadsheet", () => {
    const run = { states: Array.from({ length: 10_000 }, (_, k) => [k, "=1+1"]), actions: [["a,b", null]], loop: null, end: null };
    const lines = asCsv(names, run, []).split("\n");
    expect(lines).toHaveLength(10_002);
    expect(lines[1]).toBe('0,"a,b",,0,"=1+1"');
  });
});
