import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** What the server answers to "show why": a page that needs nothing from outside. */
export interface Page {
  readonly title: string;
  readonly html: string;
}

/** Shows a page of evidence beside the text; a new one takes the place of the last. */
export class EvidencePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  show(page: Page): void {
    const panel = this.panel ?? this.created();
    panel.title = page.title;
    panel.webview.html = guarded(page.html);
    panel.reveal(vscode.ViewColumn.Beside, true);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private created(): vscode.WebviewPanel {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [] };
    const panel = vscode.window.createWebviewPanel("knower.evidence", "Why", column, options);
    panel.onDidDispose(() => (this.panel = undefined));
    this.panel = panel;
    return panel;
  }
}

/** The page with a policy of its own: only its own scripts run, and nothing is fetched. */
function guarded(html: string): string {
  const nonce = randomBytes(16).toString("hex");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-${nonce}'`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const scripted = html.replaceAll("<script>", `<script nonce="${nonce}">`);
  return scripted.includes("<head>") ? scripted.replace("<head>", `<head>${meta}`) : meta + scripted;
}
