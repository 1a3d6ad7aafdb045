import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type FromFrame, greetingKind, readFromFrame, type ToFrame } from "../../conversation/preview-protocol.ts";

export type Tell = (message: ToFrame) => void;

export type FramePort = {
  /** The URL of the framed document, on the origin that serves chats. */
  readonly address: string;
  /** A new number creates a new frame. */
  readonly number: number;
  /** Called when the frame listens to its port. */
  readonly onOpen: (tell: Tell) => void;
  /** Handles a message of the frame. Resolves to undefined if the message has no answer. */
  readonly hear: (asked: FromFrame) => Promise<ToFrame | undefined>;
};

/** The permissions of every frame with a chat. The origin of the frame is opaque. */
export const frameAttributes = {
  sandbox: "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads",
  allow: "microphone *; clipboard-write *",
  referrerpolicy: "no-referrer",
} as const;

/**
 * Communicates with a framed document over a message port. The author's session cookie never leaves this page. Returns
 * a ref to the function that sends messages, which is null until the frame listens.
 */
export function useFramePort(
  element: RefObject<HTMLIFrameElement | null>,
  { address, number, onOpen, hear }: FramePort,
): RefObject<Tell | null> {
  const tell = useRef<Tell>(null);
  const now = useRef({ onOpen, hear });
  now.current = { onOpen, hear };
  useEffect(() => {
    const frame = element.current;
    if (!frame) return undefined;
    const { port1: port, port2: theirs } = new MessageChannel();
    port.onmessage = async ({ data }: MessageEvent<unknown>) => {
      const asked = readFromFrame(data);
      const answer = asked && (await now.current.hear(asked));
      if (answer) port.postMessage(answer);
    };
    const greet = (): void => {
      // The frame's opaque origin cannot be used as the target, but the `frame-src` policy allows only the service's
      // own document in the frame.
      frame.contentWindow?.postMessage({ kind: greetingKind }, "*", [theirs]);
      const speak: Tell = (message) => port.postMessage(message);
      tell.current = speak;
      now.current.onOpen(speak);
    };
    frame.addEventListener("load", greet, { once: true });
    frame.src = address;
    return () => {
      frame.removeEventListener("load", greet);
      tell.current = null;
      port.close();
    };
  }, [number, address]);
  return tell;
}
