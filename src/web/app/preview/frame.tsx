/** @jsxImportSource preact */
import { useEffect, useRef } from "preact/hooks";
import {
  type FromFrame,
  greetingKind,
  type PagePart,
  readFromFrame,
  type Scheme,
  type ToFrame,
} from "../../conversation/preview-protocol.ts";
import type { ShownChat } from "./run.ts";

/** The bot's theme and settings as they are now, and for whose screens. Another object is sent to the frame at once. */
export type Dressing = { readonly bot: object; readonly scheme: Scheme };

export type PreviewFrameProps = {
  readonly shown: ShownChat;
  /** Answers what the frame asks; undefined where nothing is answered. */
  readonly hear: (number: number, asked: FromFrame) => Promise<ToFrame | undefined>;
  /** Undefined: as the chat has it. */
  readonly dressing?: Dressing | undefined;
  readonly onPart?: ((part: PagePart) => void) | undefined;
  /** Where chats are served. */
  readonly chatAddress: string;
  readonly title: string;
};

/**
 * The chat in a document of another origin, in a sandbox. It gets the chat by one port, and asks for each reply by it: what signs the author in
 * stays here.
 */
export function PreviewFrame({ shown, hear, dressing, onPart, chatAddress, title }: PreviewFrameProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const tell = useRef<Telling | undefined>(undefined);
  const now = useRef({ shown, hear, dressing, onPart });
  now.current = { shown, hear, dressing, onPart };
  const { number } = shown;
  useEffect(() => {
    const frame = element.current;
    if (!frame) return undefined;
    const { port1: port, port2: theirs } = new MessageChannel();
    port.onmessage = async ({ data }: MessageEvent<unknown>) => {
      const asked = readFromFrame(data);
      if (asked?.kind === "pressed") now.current.onPart?.(asked.part);
      const answer = asked && (await now.current.hear(number, asked));
      if (answer) port.postMessage(answer);
    };
    const greet = (): void => {
      // Its origin is that of nobody, so it cannot be named; only our own document can be framed here (`frame-src`).
      frame.contentWindow?.postMessage({ kind: greetingKind }, "*", [theirs]);
      tell.current = (told) => port.postMessage(told);
      showIn(tell.current, now.current);
    };
    frame.addEventListener("load", greet, { once: true });
    frame.src = `${chatAddress}/assets/preview`;
    return () => {
      frame.removeEventListener("load", greet);
      tell.current = undefined;
      port.close();
    };
  }, [number, chatAddress]);
  // Another chat of the same number is shown in the same frame.
  useEffect(() => {
    if (tell.current) showIn(tell.current, now.current);
  }, [shown]);
  useEffect(() => {
    if (dressing) tell.current?.({ kind: "dress", ...dressing });
  }, [dressing]);
  return (
    <iframe
      key={number}
      ref={element}
      class="preview-frame"
      title={title}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads"
      allow="microphone *; clipboard-write *"
      referrerpolicy="no-referrer"
    />
  );
}

type Telling = (told: ToFrame) => void;

function showIn(tell: Telling, { shown, dressing }: Pick<PreviewFrameProps, "shown" | "dressing">): void {
  tell({ kind: "show", what: shown.what, chat: shown.chat });
  if (dressing) tell({ kind: "dress", ...dressing });
}
