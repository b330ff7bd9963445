import { describe, expect, it, vi } from "vitest";
import { doubts, quotient } from "../src/pictures/graph";
import type { Names } from "../src/values";

vi.mock("elkjs/lib/elk-worker.min.js?url", () => ({ default: "" }));
const { forced } = await import("../src/pictures/layout");

const names: Names = { agents: ["A", "B"], variables: [{ owner: "A", name: "x", seen: ["A"] }, { owner: "B", name: "y", seen: ["B"] }] };
const graph = {
  states: [[0, 0], [0, 1], [1, 0], [1, 1]],
  initial: [true, false, false, false],
  fair: [true, true, true, true],
  edges: [{ source: 0, target: 1, actions: [["go", null]], count: 1 }, { source: 2, target: 3, actions: [["stay", null]], count: 2 }],
  complete: true,
};

describe("pictures", () => {
  it("merges what looks the same in what is shown", () => {
    const made = quotient(names, graph, [0], new Set([0, 1, 2, 3]));
    expect(made.nodes.map((each) => each.members)).toEqual([[0, 1], [2, 3]]);
    expect(made.edges.map((each) => [each.source, each.target, each.count])).toEqual([["n0", "n0", 1], ["n1", "n1", 2]]);
  });
  it("leaves out worlds that are gone", () => {
    expect(quotient(names, graph, [0, 1], new Set([1, 2])).nodes.map((each) => each.members)).toEqual([[1], [2]]);
  });
  it("joins what an agent confuses", () => {
    const made = quotient(names, graph, [0, 1], new Set([0, 1, 2, 3]));
    expect(doubts(names, graph, made, "A").map((each) => [each.source, each.target])).toEqual([["n0", "n1"], ["n2", "n3"]]);
  });
  it("puts many boxes apart from each other, the same way each time", () => {
    const boxes = Array.from({ length: 300 }, (_, k) => ({ id: String(k), width: 40, height: 20 }));
    const lines = boxes.flatMap((_, k) => [1, 7, 31, 97].map((by) => ({ source: String(k), target: String((k + by) % 300) })));
    const places = forced(boxes, lines, 40);
    expect(places).toEqual(forced(boxes, lines, 40));
    const spots = new Set([...places.values()].map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`));
    expect(spots.size).toBeGreaterThan(280);
  });
});
