import { Connection, Failed, socketAddress, token, type Pending } from "./connection";
import type { Calls } from "./wire";

/// The connection of this page.
export const connection = new Connection(socketAddress(), token());

/// Ask the server something.
export function ask<K extends keyof Calls>(
  call: K,
  args: Calls[K]["args"],
  news?: (value: Calls[K]["news"]) => void,
): Pending<K> {
  return connection.ask(call, args, news);
}

/// What went wrong, in words for people.
export function inWords(error: unknown): string {
  if (error instanceof Failed) {
    if (error.failure.kind === "stopped" && error.failure.problems.length === 0) return "the server is gone";
    return error.failure.problems.map((each) => each.message + (each.cure ? ` (${each.cure})` : "")).join("; ");
  }
  return error instanceof Error ? error.message : String(error);
}

/// Whether the work was stopped, by somebody or with the server.
export function wasStopped(error: unknown): boolean {
  return error instanceof Failed && error.failure.kind === "stopped";
}

/// Whether the server does not know the model any more.
export function wasForgotten(error: unknown): boolean {
  return error instanceof Failed && error.failure.kind === "forgotten";
}
