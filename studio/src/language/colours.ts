import { LSPPlugin } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

const setMarks = StateEffect.define<DecorationSet>();

/// The words of a text in the colours of what they mean: agents, variables, actions, values, propositions.
export const meanings = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    return old.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/// Ask what the words mean; an answer for an older text is dropped.
export function recolour(view: EditorView): void {
  const plugin = LSPPlugin.get(view);
  const types = plugin?.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes;
  if (plugin === null || types === undefined) return;
  const { doc } = view.state;
  const params: lsp.SemanticTokensParams = { textDocument: { uri: plugin.uri } };
  plugin.client.request<lsp.SemanticTokensParams, lsp.SemanticTokens | null>("textDocument/semanticTokens/full", params).then(
    (found) => {
      if (found !== null && view.state.doc.eq(doc)) view.dispatch({ effects: setMarks.of(marks(doc, found.data, types)) });
    },
    () => undefined,
  );
}

const SHOWN = new Set(["class", "property", "event", "enumMember", "variable", "namespace", "label", "parameter", "function", "operator", "keyword"]);

/// Tokens as the protocol packs them, five numbers each, relative to the one before.
export function marks(doc: Text, data: readonly number[], types: readonly string[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let [line, column] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, columns = 0, length = 0, kind = 0] = data.slice(at, at + 4);
    column = lines === 0 ? column + columns : columns;
    line += lines;
    const name = types[kind] ?? "";
    if (line >= doc.lines) break;
    const from = doc.line(line + 1).from + column;
    if (SHOWN.has(name) && from + length <= doc.length) builder.add(from, from + length, Decoration.mark({ class: `sem-${name}` }));
  }
  return builder.finish();
}
