import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type FromFrame, greetingKind, readFromFrame, type ToFrame } from "../../conversation/preview-protocol.ts";

export type Tell = (message: ToFrame) => void;

export type FramePort = {
  /** The framed document, at the chats' address. */
  readonly address: string;
  /** A new number means a new frame. */
  readonly number: number;
  /** The frame listens to its port. */
  readonly onOpen: (tell: Tell) => void;
  /** Answers requests of the frame; undefined if there is no answer. */
  readonly hear: (asked: FromFrame) => Promise<ToFrame | undefined>;
};

/** The permissions of every frame of a chat. The frame's origin is opaque. */
export const frameAttributes = {
  sandbox: "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads",
  allow: "microphone *; clipboard-write *",
  referrerpolicy: "no-referrer",
} as const;

/**
 * Communicates with a document in a frame over one port. The author's sign-in never leaves this page. `tell` is empty
 * until the frame listens.
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
      // The frame's origin is opaque and cannot be named; only our own document can be framed here (`frame-src`).
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
