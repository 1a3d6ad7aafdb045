/** @jsxImportSource preact */
import { useEffect, useRef } from "preact/hooks";
import { greetingKind, readFromFrame, type ToFrame } from "../../conversation/preview-protocol.ts";
import type { Run, ShownChat } from "./run.ts";

export type PreviewFrameProps = {
  readonly run: Run;
  readonly shown: ShownChat;
  /** Where chats are served. */
  readonly chatAddress: string;
  readonly title: string;
};

/**
 * The chat in a document of another origin, in a sandbox. It gets the chat by one port, and asks for each reply by it: what signs the author in
 * stays here.
 */
export function PreviewFrame({ run, shown, chatAddress, title }: PreviewFrameProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const { number } = shown;
  useEffect(() => {
    const frame = element.current;
    if (!frame) return undefined;
    const { port1: port, port2: theirs } = new MessageChannel();
    const tell = (told: ToFrame) => port.postMessage(told);
    port.onmessage = async ({ data }: MessageEvent<unknown>) => {
      const asked = readFromFrame(data);
      const answer = asked && (await run.hear(number, asked));
      if (answer) tell(answer);
    };
    const greet = (): void => {
      // Its origin is that of nobody, so it cannot be named; only our own document can be framed here (`frame-src`).
      frame.contentWindow?.postMessage({ kind: greetingKind }, "*", [theirs]);
      tell({ kind: "show", what: shown.what, chat: shown.chat });
    };
    frame.addEventListener("load", greet, { once: true });
    frame.src = `${chatAddress}/assets/preview`;
    return () => {
      frame.removeEventListener("load", greet);
      port.close();
    };
  }, [number, chatAddress]);
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
