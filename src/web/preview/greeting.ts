import { greetingKind } from "../conversation/preview-protocol.ts";
import { textAt } from "../conversation/read.ts";

/** Waits for the first message of the surrounding page, which contains the port for all other messages. */
export function waitForGreeting(onPort: (port: MessagePort) => void): void {
  addEventListener("message", function hear(event) {
    const [port] = event.ports;
    if (event.source !== window.parent || window.parent === window || !port) return;
    if (textAt(event.data, "kind") !== greetingKind) return;
    removeEventListener("message", hear);
    onPort(port);
  });
}

/** Returns the document's nonce, which only its own scripts can read; empty if there is none. */
export function ownNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
