import { LSPPlugin } from "@codemirror/lsp-client";
import { hoverTooltip, type EditorView, type Tooltip } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { shownMarkdown } from "./markdown";

/// What is known of the name under the pointer.
export const hovers = hoverTooltip(tooltip);

async function tooltip(view: EditorView, place: number): Promise<Tooltip | null> {
  const plugin = LSPPlugin.get(view);
  if (plugin === null) return null;
  plugin.client.sync();
  const params: lsp.HoverParams = { textDocument: { uri: plugin.uri }, position: plugin.toPosition(place) };
  const found = await plugin.client.request<lsp.HoverParams, lsp.Hover | null>("textDocument/hover", params).catch(() => null);
  const text = found === null ? null : textOf(found.contents);
  if (found === null || text === null) return null;
  const range = found.range;
  return {
    pos: range === undefined ? place : plugin.fromPosition(range.start),
    end: range === undefined ? place : plugin.fromPosition(range.end),
    above: true,
    create: () => ({ dom: shownMarkdown(text, "hover") }),
  };
}

function textOf(contents: lsp.Hover["contents"]): string | null {
  return typeof contents === "object" && "kind" in contents ? contents.value : null;
}
