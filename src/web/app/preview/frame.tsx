import { useEffect, useMemo, useRef } from "preact/hooks";
import type { DrawnPairs } from "../../../core/theme/drawn-things.ts";
import {
  calledParameter,
  type FromFrame,
  type PagePart,
  type Scheme,
  type ToFrame,
} from "../../conversation/preview-protocol.ts";
import { frameAttributes, type Tell, useFramePort } from "./frame-port.ts";
import type { ShownChat } from "./run.ts";

/** The bot's current theme and settings, and the screen size. A new object is sent to the frame at once. */
export type Dressing = { readonly bot: object; readonly scheme: Scheme };

export type PreviewFrameProps = {
  readonly shown: ShownChat;
  /** Answers requests of the frame; undefined if there is no answer. */
  readonly hear: (number: number, asked: FromFrame) => Promise<ToFrame | undefined>;
  /** Undefined: the chat's own look. */
  readonly dressing?: Dressing | undefined;
  readonly onPart?: ((part: PagePart) => void) | undefined;
  /** The frame has drawn the page with its dressing, in these colours. */
  readonly onDrawn?: ((dressing: Dressing, pairs: DrawnPairs) => void) | undefined;
  /** The address that serves chats. */
  readonly chatAddress: string;
  readonly title: string;
  /** Origins of plain http that the flow calls from the page; each new chat uses the current ones. */
  readonly httpOrigins?: readonly string[] | undefined;
};

/**
 * The chat in a document of another origin, in a sandbox. It receives the chat by one port, and requests each reply by
 * it: the author's sign-in stays in this page.
 */
export function PreviewFrame(props: PreviewFrameProps) {
  const { shown, hear, dressing, onPart, onDrawn, chatAddress, title, httpOrigins = [] } = props;
  const element = useRef<HTMLIFrameElement>(null);
  const { number } = shown;
  // A new address loads a new document, which would begin again.
  const search = useMemo(() => `${new URLSearchParams(httpOrigins.map((one) => [calledParameter, one]))}`, [number]);
  const numbered = useRef<Numbered>({ number: 0, dressing: undefined });
  if (numbered.current.dressing !== dressing) {
    numbered.current = { number: numbered.current.number + 1, dressing };
  }
  const tell = useFramePort(element, {
    address: `${chatAddress}/assets/preview${search && `?${search}`}`,
    number,
    onOpen: (speak) => showIn(speak, { shown, dressed: numbered.current }),
    hear: async (asked) => {
      if (asked.kind === "pressed") onPart?.(asked.part);
      // A message from before the last dressing does not describe it.
      if (asked.kind === "drawn" && dressing && asked.number === numbered.current.number)
        onDrawn?.(dressing, asked.pairs);
      return hear(number, asked);
    },
  });
  // A new chat with the same number is shown in the same frame.
  useEffect(() => {
    if (tell.current) showIn(tell.current, { shown, dressed: numbered.current });
  }, [shown]);
  useEffect(() => {
    if (tell.current) dressIn(tell.current, numbered.current);
  }, [dressing]);
  return <iframe key={number} ref={element} class="preview-frame" title={title} {...frameAttributes} />;
}

type Numbered = { readonly number: number; readonly dressing: Dressing | undefined };

function showIn(tell: Tell, { shown, dressed }: { readonly shown: ShownChat; readonly dressed: Numbered }): void {
  tell({ kind: "show", what: shown.what, chat: shown.chat });
  dressIn(tell, dressed);
}

function dressIn(tell: Tell, { number, dressing }: Numbered): void {
  if (dressing) tell({ kind: "dress", number, ...dressing });
}
