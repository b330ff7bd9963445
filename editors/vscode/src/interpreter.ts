import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

/** How the language server is started: a program and its arguments. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The interpreter that the user has chosen; what a workspace says counts only where it is trusted. */
function chosen(): string {
  const found = vscode.workspace.getConfiguration("knower").inspect<string>("interpreter");
  const ofWorkspace = found?.workspaceFolderValue ?? found?.workspaceValue;
  const value = (vscode.workspace.isTrusted ? ofWorkspace : undefined) ?? found?.globalValue;
  return (value ?? "").trim();
}

/** Environments inside the workspace, the likeliest first. They hold programs: only where it is trusted. */
function environments(): string[] {
  if (!vscode.workspace.isTrusted) return [];
  const program = process.platform === "win32" ? join("Scripts", "python.exe") : join("bin", "python");
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap((folder) => [".venv", "venv"].map((name) => join(folder.uri.fsPath, name, program)));
}

/** The way to start the server that is tried: a chosen interpreter, one of the workspace, `knower` on the path. */
export function launch(): Launch {
  const asModule = ["-m", "knower", "lsp"];
  const named = chosen();
  if (named !== "") return { command: named, args: asModule };
  const inside = environments().find(existsSync);
  if (inside !== undefined) return { command: inside, args: asModule };
  return { command: "knower", args: ["lsp"] };
}
