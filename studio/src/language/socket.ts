import type { Transport } from "@codemirror/lsp-client";

/// A socket to the language server: messages as texts, without headers. The token goes first.
export class LanguageSocket implements Transport {
  readonly #socket: WebSocket;
  readonly #hearers = new Set<(message: string) => void>();

  /// `ready` is called when messages can be sent, `lost` when no more will come.
  constructor(address: string, token: string, ready: () => void, lost: () => void) {
    this.#socket = new WebSocket(address);
    this.#socket.addEventListener("open", () => {
      this.#socket.send(JSON.stringify({ token }));
      ready();
    });
    this.#socket.addEventListener("message", (event) => {
      for (const hear of this.#hearers) hear(String(event.data));
    });
    this.#socket.addEventListener("close", lost);
  }

  send(message: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  subscribe(hear: (message: string) => void): void {
    this.#hearers.add(hear);
  }

  unsubscribe(hear: (message: string) => void): void {
    this.#hearers.delete(hear);
  }
}
