import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const SECTIONS = new Set([
  "Agent", "Vars", "Obsvars", "Lobsvars", "RedStates", "Actions", "Protocol", "Evolution", "Evaluation",
  "InitStates", "Groups", "Fairness", "Formulae", "Semantics", "end", "if", "Other", "and", "or",
]);
const TYPES = new Set(["boolean", "true", "false", "MultiAssignment", "SingleAssignment", "MA", "SA"]);
/// Operators of formulas, for colours and completion.
export const OPERATORS = [
  "AG", "AF", "AX", "EG", "EF", "EX", "A", "E", "U", "R", "W", "X", "F", "G", "K", "GK", "GCK", "DK", "M", "MGK",
  "MGCK", "MDK", "O", "P", "LTL", "CTL*", "LDL", "CDL*", "LDLf", "CDL*f", "Red", "Green",
];
const KNOWN = new Set(OPERATORS);

const parser: StreamParser<null> = {
  name: "ispl",
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("--")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^\d+/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word !== null && word !== true && word !== false) {
      const name = word[0] ?? "";
      if (SECTIONS.has(name)) return "keyword";
      if (TYPES.has(name)) return "typeName";
      return KNOWN.has(name) ? "operatorKeyword" : "variableName";
    }
    stream.next();
    return null;
  },
};

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.typeName, class: "tok-type" },
  { tag: tags.operatorKeyword, class: "tok-operator" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.number, class: "tok-number" },
]);

/// ISPL as CodeMirror reads it, line by line.
export const ispl = [StreamLanguage.define(parser), syntaxHighlighting(colours)];
