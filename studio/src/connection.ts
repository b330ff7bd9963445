import { signal } from "@preact/signals";
import type { Calls, Failure } from "./wire";

/// What can be said of the socket. `refused`: the token is wrong or missing.
export type Status = "connecting" | "open" | "lost" | "refused";

/// A request that was not answered.
export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.problems.map((each) => each.message).join("; ") || failure.kind);
  }
}

/// A request under way.
export interface Pending<K extends keyof Calls> {
  readonly done: Promise<Calls[K]["done"]>;
  cancel(): void;
}

interface Waiting {
  settle(value: unknown): void;
  fail(error: Failed): void;
  news(value: unknown): void;
  text: string;
  sent: boolean;
}

const LOST: Failure = { kind: "stopped", problems: [] };

/// One socket for everything, opened again when it is lost: what was not sent yet is sent then, what was
/// under way has failed.
export class Connection {
  readonly status = signal<Status>("connecting");
  readonly #waiting = new Map<number, Waiting>();
  #socket: WebSocket | undefined;
  #next = 1;
  #pause = 300;
  /// Called whenever a socket is ready.
  onOpen: () => void = () => undefined;

  constructor(
    readonly address: string,
    readonly token: string,
  ) {}

  open(): void {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    this.status.value = "connecting";
    socket.addEventListener("open", () => this.#begin(socket));
    socket.addEventListener("message", (event) => this.#hear(String(event.data)));
    socket.addEventListener("close", (event) => this.#lose(event.code));
  }

  #begin(socket: WebSocket): void {
    socket.send(JSON.stringify({ token: this.token }));
    this.#pause = 300;
    this.status.value = "open";
    for (const each of this.#waiting.values()) this.#send(each);
    this.onOpen();
  }

  #lose(code: number): void {
    if (code === 4401) {
      this.status.value = "refused";
      return;
    }
    this.status.value = "lost";
    for (const [id, each] of this.#waiting) {
      if (!each.sent) continue;
      this.#waiting.delete(id);
      each.fail(new Failed(LOST));
    }
    setTimeout(() => this.open(), this.#pause);
    this.#pause = Math.min(this.#pause * 1.6, 4000);
  }

  #hear(text: string): void {
    const message: unknown = JSON.parse(text);
    if (!isReply(message)) return;
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if ("news" in message) {
      waiting.news(message.news);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.failed === undefined) waiting.settle(message.done);
    else waiting.fail(new Failed(message.failed));
  }

  #send(waiting: Waiting): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    waiting.sent = true;
    this.#socket.send(waiting.text);
  }

  /// Ask something; `news` hears what is told on the way.
  ask<K extends keyof Calls>(
    call: K,
    args: Calls[K]["args"],
    news: (value: Calls[K]["news"]) => void = () => undefined,
  ): Pending<K> {
    const id = this.#next++;
    const done = new Promise<Calls[K]["done"]>((settle, fail) => {
      const text = JSON.stringify({ id, call, args });
      const waiting: Waiting = {
        settle: (value) => settle(value as Calls[K]["done"]),
        fail,
        news: (value) => news(value as Calls[K]["news"]),
        text,
        sent: false,
      };
      this.#waiting.set(id, waiting);
      this.#send(waiting);
    });
    return { done, cancel: () => this.#socket?.send(JSON.stringify({ cancel: id })) };
  }
}

interface Reply {
  id: number;
  news?: unknown;
  done?: unknown;
  failed?: Failure;
}

function isReply(message: unknown): message is Reply {
  return typeof message === "object" && message !== null && "id" in message && typeof message.id === "number";
}

/// The token: from the fragment of the address the first time, which is then taken out of it.
export function token(): string {
  const found = /(?:^#|&)token=([\w-]+)/.exec(location.hash)?.[1];
  if (found !== undefined) {
    sessionStorage.setItem("knower-token", found);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("knower-token") ?? "";
}

/// Where the socket of a page is.
export function socketAddress(): string {
  return `${location.origin.replace(/^http/, "ws")}/tab`;
}
