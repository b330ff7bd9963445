import {
  findReferencesKeymap, formatDocument, formatKeymap, jumpToDefinitionKeymap, LSPClient, renameKeymap, renameSymbol, serverCompletion,
} from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { connection } from "../server";
import { socketAddress } from "../connection";
import { meanings } from "./colours";
import { hovers } from "./hover";
import { markProblems } from "./problems";
import { LanguageSocket } from "./socket";

/// So long after the last key the server hears of it. The client's own pause is four times as long.
const PAUSE = 120;
/// A busy server answers late: three seconds, as is usual, are not enough on a loaded machine.
const PATIENCE = 20_000;

const client = new LSPClient({
  timeout: PATIENCE,
  sanitizeHTML: plain,
  extensions: [
    { clientCapabilities: { textDocument: { publishDiagnostics: { versionSupport: true, dataSupport: true } } } },
    serverCompletion({ override: true }),
  ],
  notificationHandlers: { "textDocument/publishDiagnostics": markProblems },
});

/// The words of some HTML, and nothing of its markup.
function plain(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const made = document.createElement("p");
  made.textContent = body.textContent;
  return made.outerHTML;
}

let isThere = false;

/// Speak to the language server; where it is spoken to already, nothing happens.
export function speak(): void {
  if (isThere) return;
  isThere = true;
  const address = `${new URL(socketAddress()).origin}/lsp`;
  const socket = new LanguageSocket(address, connection.token, () => client.connect(socket), () => {
    isThere = false;
    client.disconnect();
    if (connection.status.value === "open") setTimeout(speak, 1000);
  });
}

/// The address of a file in messages.
export function addressOf(path: string): string {
  return `studio:///${path.split("/").map(encodeURIComponent).join("/")}`;
}

/// What the language server adds to an editor of a file.
export function language(path: string): Extension {
  return [
    client.plugin(addressOf(path), "ispl"),
    soon,
    meanings,
    hovers,
    keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
  ];
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/// Tell the server of changes, soon.
const soon = EditorView.updateListener.of((update) => {
  if (!update.docChanged) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => client.sync(), PAUSE);
});

export const format = formatDocument;
export const rename = renameSymbol;
