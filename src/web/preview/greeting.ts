import { greetingKind } from "../conversation/preview-protocol.ts";
import { textAt } from "../conversation/read.ts";

/** Waits only for the surrounding page: its first message contains the port by which all others arrive. */
export function waitForGreeting(onPort: (port: MessagePort) => void): void {
  addEventListener("message", function hear(event) {
    const [port] = event.ports;
    if (event.source !== window.parent || window.parent === window || !port) return;
    if (textAt(event.data, "kind") !== greetingKind) return;
    removeEventListener("message", hear);
    onPort(port);
  });
}

/** The document's nonce, which only its own scripts can read. */
export function ownNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
