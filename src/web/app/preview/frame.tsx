import { useEffect, useRef } from "preact/hooks";
import type { FromFrame, PagePart, Scheme, ToFrame } from "../../conversation/preview-protocol.ts";
import { frameAttributes, type Tell, useFramePort } from "./frame-port.ts";
import type { ShownChat } from "./run.ts";

/** The bot's theme and settings as they are now, and for whose screens. Another object is sent to the frame at once. */
export type Dressing = { readonly bot: object; readonly scheme: Scheme };

export type PreviewFrameProps = {
  readonly shown: ShownChat;
  /** Answers requests of the frame; undefined where there is no answer. */
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
  const { number } = shown;
  const tell = useFramePort(element, {
    address: `${chatAddress}/assets/preview`,
    number,
    onOpen: (speak) => showIn(speak, { shown, dressing }),
    hear: async (asked) => {
      if (asked.kind === "pressed") onPart?.(asked.part);
      return hear(number, asked);
    },
  });
  // Another chat of the same number is shown in the same frame.
  useEffect(() => {
    if (tell.current) showIn(tell.current, { shown, dressing });
  }, [shown]);
  useEffect(() => {
    if (dressing) tell.current?.({ kind: "dress", ...dressing });
  }, [dressing]);
  return <iframe key={number} ref={element} class="preview-frame" title={title} {...frameAttributes} />;
}

function showIn(tell: Tell, { shown, dressing }: Pick<PreviewFrameProps, "shown" | "dressing">): void {
  tell({ kind: "show", what: shown.what, chat: shown.chat });
  if (dressing) tell({ kind: "dress", ...dressing });
}
