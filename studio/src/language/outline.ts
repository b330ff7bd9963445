import type { LSPPlugin } from "@codemirror/lsp-client";
import { signal } from "@preact/signals";
import type * as lsp from "vscode-languageserver-protocol";

/// Something that is declared in the text, and what is declared in it.
export interface Entry {
  name: string;
  detail: string;
  line: number;
  inside: readonly Entry[];
}

/// The outline of the text in the editor; also of one that has errors.
export const outline = signal<readonly Entry[]>([]);

/// Ask for the outline; the last answer counts.
export function outlineOf(plugin: LSPPlugin): void {
  const params: lsp.DocumentSymbolParams = { textDocument: { uri: plugin.uri } };
  plugin.client.request<lsp.DocumentSymbolParams, lsp.DocumentSymbol[] | null>("textDocument/documentSymbol", params).then(
    (found) => {
      const made = (found ?? []).map(entry);
      if (JSON.stringify(made) !== JSON.stringify(outline.peek())) outline.value = made;
    },
    () => undefined,
  );
}

function entry(symbol: lsp.DocumentSymbol): Entry {
  return {
    name: symbol.name,
    detail: symbol.detail ?? "",
    line: symbol.selectionRange.start.line + 1,
    inside: (symbol.children ?? []).map(entry),
  };
}
