import { describe, expect, it } from "vitest";
import { opened, shared } from "../src/learn/share";

describe("share files", () => {
  it("come back as they went", () => {
    const share = opened(shared("mine", "Agent A …", ["AG p"], []));
    expect([share.name, share.model, share.questions]).toEqual(["mine", "Agent A …", ["AG p"]]);
  });
  it("are never trusted", () => {
    const hostile = { format: "knower-share", version: 1, name: "../../etc/<b>", model: "m", questions: [1, "q"], results: [{ text: 1 }, null] };
    const share = opened(JSON.stringify(hostile));
    expect(share.name).not.toMatch(/[/.<>]/);
    expect(share.questions).toEqual(["q"]);
    expect(share.results).toEqual([]);
  });
  it.each(["", "[]", "{}", '{"format":"knower-share","version":2}', '{"format":"knower-share","version":1}'])("are refused: %s", (text) => {
    expect(() => opened(text)).toThrow();
  });
});
