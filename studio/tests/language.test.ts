import { describe, expect, it } from "vitest";
import { blocks } from "../src/language/markdown";
import { marks } from "../src/language/colours";
import { Text } from "@codemirror/state";

describe("the Markdown of the language server", () => {
  it("has fenced blocks and paragraphs, and everything else is text", () => {
    const found = blocks("````ispl\nx ``` <b>\n````\n\nIt is `seen`.\n\n<script>");
    expect(found).toEqual([
      { kind: "code", text: "x ``` <b>" }, { kind: "words", text: "It is `seen`." }, { kind: "words", text: "<script>" },
    ]);
  });
});

describe("semantic tokens", () => {
  it("are placed relative to the one before, and never beyond the text", () => {
    const doc = Text.of(["Agent C", "  up = up"]);
    const found: [number, number, string][] = [];
    marks(doc, [0, 6, 1, 0, 0, 1, 2, 2, 1, 0, 0, 5, 2, 1, 0, 9, 0, 4, 0, 0], ["class", "event"]).between(0, doc.length, (from, to, mark) => {
      found.push([from, to, String(mark.spec["class"])]);
    });
    expect(found).toEqual([[6, 7, "sem-class"], [10, 12, "sem-event"], [15, 17, "sem-event"]]);
  });
});
