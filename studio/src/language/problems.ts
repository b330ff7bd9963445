import { LSPPlugin, type LSPClient } from "@codemirror/lsp-client";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { signal } from "@preact/signals";
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { outlineOf } from "./outline";
import { recolour } from "./colours";

/// Something to do about a problem: an edit of the text.
export interface Fix {
  title: string;
  edits: readonly { from: number; to: number; insert: string }[];
}

/// What is wrong or suspicious in the text.
export interface Finding {
  severity: "error" | "warning";
  code: string;
  message: string;
  cure: string | null;
  line: number;
  column: number;
  from: number;
  to: number;
  fix: Fix | null;
}

/// The problems of the text in the editor.
export const findings = signal<Finding[]>([]);
/// More are marked but not asked about: each fix is tried by the server before it is offered.
const MOST_ASKED = 20;

/// The server has looked at a text: marks, cures, outline and colours follow. An older text is left alone.
export function markProblems(client: LSPClient, params: lsp.PublishDiagnosticsParams): boolean {
  const file = client.workspace.getFile(params.uri);
  const view = file?.getView() ?? null;
  if (file === null || view === null || params.version !== file.version) return true;
  const plugin = LSPPlugin.get(view);
  if (plugin === null || !plugin.unsyncedChanges.empty) return true;
  show(view, params.diagnostics.map((each) => finding(plugin, each)));
  recolour(view);
  outlineOf(plugin);
  void askFixes(view, plugin, params.diagnostics.slice(0, MOST_ASKED));
  return true;
}

/// What the server puts between a message and its cure.
const HELP = "\nhelp: ";

function said({ message }: lsp.Diagnostic): string {
  return typeof message === "string" ? message : message.value;
}

function finding(plugin: LSPPlugin, each: lsp.Diagnostic): Finding {
  const [message = "", cure = null] = said(each).split(HELP);
  return {
    severity: each.severity === 1 ? "error" : "warning",
    code: String(each.code ?? ""),
    message,
    cure,
    line: each.range.start.line + 1,
    column: each.range.start.character + 1,
    from: plugin.fromPosition(each.range.start),
    to: plugin.fromPosition(each.range.end),
    fix: null,
  };
}

function show(view: EditorView, found: Finding[]): void {
  findings.value = found;
  view.dispatch(setDiagnostics(view.state, found.map((each): Diagnostic => ({
    from: each.from,
    to: each.to,
    severity: each.severity,
    source: each.code,
    message: each.cure === null ? each.message : `${each.message}\n${each.cure}`,
    actions: each.fix === null ? [] : [{ name: each.fix.title, apply: () => mend(view, each) }],
  }))));
}

/// Ask what can be done about problems; an answer that comes after more was typed is dropped.
async function askFixes(view: EditorView, plugin: LSPPlugin, diagnostics: lsp.Diagnostic[]): Promise<void> {
  const curable = diagnostics.filter((each) => said(each).includes(HELP));
  if (curable.length === 0) return;
  const { doc } = view.state;
  const end = { line: doc.lines, character: 0 };
  const params: lsp.CodeActionParams = {
    textDocument: { uri: plugin.uri }, range: { start: { line: 0, character: 0 }, end }, context: { diagnostics: curable },
  };
  const actions = await plugin.client.request<lsp.CodeActionParams, lsp.CodeAction[] | null>("textDocument/codeAction", params)
    .catch(() => null);
  if (actions === null || view.state.doc !== doc) return;
  const fixed = findings.value.map((each) => ({ ...each, fix: fixFor(plugin, each, actions) }));
  if (fixed.some((each) => each.fix !== null)) show(view, fixed);
}

function fixFor(plugin: LSPPlugin, each: Finding, actions: readonly lsp.CodeAction[]): Fix | null {
  const action = actions.find(({ diagnostics }) => diagnostics?.some((about) =>
    String(about.code) === each.code && plugin.fromPosition(about.range.start) === each.from));
  const edits = action?.edit?.changes?.[plugin.uri];
  if (action === undefined || edits === undefined) return null;
  return {
    title: action.title,
    edits: edits.map(({ range, newText }) => ({ from: plugin.fromPosition(range.start), to: plugin.fromPosition(range.end), insert: newText })),
  };
}

/// Do what a cure says, if the text is still the one it is for.
export function mend(view: EditorView, about: Finding): void {
  if (about.fix === null || !findings.value.includes(about)) return;
  view.dispatch({ changes: [...about.fix.edits], userEvent: "input.fix" });
  view.focus();
}
