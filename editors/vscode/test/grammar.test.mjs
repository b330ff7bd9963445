import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
await oniguruma.loadWASM(wasm);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () =>
    textmate.parseRawGrammar(readFileSync(new URL("../syntaxes/ispl.tmLanguage.json", import.meta.url), "utf8"), "ispl.json"),
});
const grammar = await registry.loadGrammar("source.ispl");

/** Each word of a text with its innermost scope. */
function scopes(text) {
  let stack = textmate.INITIAL;
  const found = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const token of tokens) {
      const word = line.slice(token.startIndex, token.endIndex).trim();
      if (word !== "") found.push([word, token.scopes.at(-1)]);
    }
  }
  return new Map(found);
}

test("an agent and its sections", () => {
  const found = scopes("Agent Sender\n  Vars: x : boolean; end Vars\n  Actions = {send};\nend Agent");
  assert.equal(found.get("Sender"), "entity.name.type.agent.ispl");
  assert.equal(found.get("boolean"), "storage.type.ispl");
  assert.equal(found.get("Actions"), "keyword.control.section.ispl");
});

test("operators are operators in formulas only", () => {
  const inside = scopes("Formulae\n  AG (p -> K(Sender, q)) expect false \"because\"; -- a word\nend Formulae");
  assert.equal(inside.get("AG"), "keyword.operator.temporal.ispl");
  assert.equal(inside.get("K"), "keyword.operator.knowledge.ispl");
  assert.equal(inside.get("expect"), "keyword.other.expect.ispl");
  assert.equal(inside.get('"because"'), "string.quoted.double.ispl");
  assert.equal(inside.get("-- a word"), "comment.line.double-dash.ispl");
  const outside = scopes("Agent G\n  Vars: K : boolean; end Vars\nend Agent");
  assert.notEqual(outside.get("K"), "keyword.operator.knowledge.ispl");
});

test("words of the language that are names elsewhere", () => {
  const found = scopes("Agent A\n  Evolution: count = 1 if max = 2; end Evolution\nend Agent");
  assert.notEqual(found.get("count"), "keyword.operator.quantifier.ispl");
  const quantified = scopes("Define t = sum i : 1..n (x[i]);");
  assert.equal(quantified.get("sum"), "keyword.operator.quantifier.ispl");
});
