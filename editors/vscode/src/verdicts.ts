import * as vscode from "vscode";

/** What the server tells of a formula; the same fields as `knower.lsp.verdicts.data`. */
export interface Verdict {
  readonly line: number;
  readonly text: string;
  readonly as_expected: boolean;
  readonly stale: boolean;
  readonly why: boolean;
}

export interface VerdictsParams {
  readonly uri: string;
  readonly version: number;
  readonly verdicts: readonly Verdict[];
}

const margin = "0 0 0 2em";

/** Draws verdicts behind the formulas: as expected, not as expected, and dimmed where the text has changed. */
export class VerdictMarks implements vscode.Disposable {
  private readonly known = new Map<string, VerdictsParams>();
  private readonly kinds = {
    expected: decoration("testing.iconPassed"),
    unexpected: decoration("testing.iconFailed"),
    stale: decoration("editorCodeLens.foreground"),
  };

  tell(params: VerdictsParams): void {
    this.known.set(params.uri, params);
    this.draw();
  }

  draw(): void {
    for (const editor of vscode.window.visibleTextEditors) this.drawIn(editor);
  }

  dispose(): void {
    for (const kind of Object.values(this.kinds)) kind.dispose();
  }

  private drawIn(editor: vscode.TextEditor): void {
    const params = this.known.get(editor.document.uri.toString());
    if (params === undefined) return;
    const old = params.version !== editor.document.version;
    const sorted: Record<keyof typeof this.kinds, vscode.DecorationOptions[]> = { expected: [], unexpected: [], stale: [] };
    for (const verdict of params.verdicts) {
      const kind = verdict.stale || old ? "stale" : verdict.as_expected ? "expected" : "unexpected";
      sorted[kind].push(mark(editor.document, verdict, kind === "stale"));
    }
    for (const kind of ["expected", "unexpected", "stale"] as const) editor.setDecorations(this.kinds[kind], sorted[kind]);
  }
}

function mark(document: vscode.TextDocument, verdict: Verdict, stale: boolean): vscode.DecorationOptions {
  const line = document.lineAt(Math.min(verdict.line, document.lineCount - 1));
  const text = stale ? `${verdict.text} before the last change` : verdict.text;
  return { range: line.range, renderOptions: { after: { contentText: text } } };
}

function decoration(colour: string): vscode.TextEditorDecorationType {
  const style = { margin, color: new vscode.ThemeColor(colour), fontStyle: "italic" };
  return vscode.window.createTextEditorDecorationType({ after: style, isWholeLine: true });
}
