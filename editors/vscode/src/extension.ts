import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { launch } from "./interpreter";
import { EvidencePanel, type Page } from "./panel";
import { VerdictMarks, type VerdictsParams } from "./verdicts";

const SERVER_CHECK = "knower.check";
const SERVER_WHY = "knower.why";

/** The parts of the extension that live as long as it does. */
interface Parts {
  readonly marks: VerdictMarks;
  readonly panel: EvidencePanel;
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const parts: Parts = { marks: new VerdictMarks(), panel: new EvidencePanel() };
  const changed = (event: vscode.ConfigurationChangeEvent): void => {
    if (event.affectsConfiguration("knower.interpreter")) void restart(parts);
  };
  context.subscriptions.push(
    parts.marks,
    parts.panel,
    vscode.commands.registerCommand("knower.restart", () => restart(parts)),
    vscode.commands.registerCommand("knower.checkAll", checkAll),
    vscode.window.onDidChangeVisibleTextEditors(() => parts.marks.draw()),
    vscode.workspace.onDidChangeConfiguration(changed),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart(parts)),
  );
  await start(parts);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(parts: Parts): Promise<void> {
  await client?.stop().catch(() => undefined);
  await start(parts);
}

async function start(parts: Parts): Promise<void> {
  const { command, args } = launch();
  const server: ServerOptions = { command, args: [...args] };
  client = new LanguageClient("knower", "Knower", server, options(parts.panel));
  try {
    await client.start();
    client.onNotification("knower/verdicts", (params: VerdictsParams) => parts.marks.tell(params));
  } catch {
    await explain(command);
  }
}

function options(panel: EvidencePanel): LanguageClientOptions {
  return {
    documentSelector: [{ language: "ispl" }],
    initializationOptions: { evidencePanel: true, verdictMarks: true },
    middleware: {
      executeCommand: async (command, args, next) => {
        const answer: unknown = await next(command, args);
        if (command === SERVER_WHY && isPage(answer)) panel.show(answer);
        return answer;
      },
    },
  };
}

function isPage(answer: unknown): answer is Page {
  return typeof answer === "object" && answer !== null && "html" in answer && "title" in answer;
}

async function checkAll(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "ispl") {
    await vscode.commands.executeCommand(SERVER_CHECK, document.uri.toString(), null);
  }
}

/** The server does not start: say what to do about it. */
async function explain(command: string): Promise<void> {
  const text = `Knower's language server does not start (${command}). Install it with: pip install "knower[lsp]"`;
  const pick = await vscode.window.showErrorMessage(text, "Choose an Interpreter");
  if (pick !== undefined) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "knower.interpreter");
  }
}
