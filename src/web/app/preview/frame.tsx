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

/** The bot's current theme and settings, and the colour scheme. A new object is sent to the frame immediately. */
export type Dressing = { readonly bot: object; readonly scheme: Scheme };

export type PreviewFrameProps = {
  readonly shown: ShownChat;
  /** Handles a request of the frame. Resolves to undefined if there is no response. */
  readonly hear: (number: number, asked: FromFrame) => Promise<ToFrame | undefined>;
  /** If undefined, the frame uses the theme of the chat itself. */
  readonly dressing?: Dressing | undefined;
  readonly onPart?: ((part: PagePart) => void) | undefined;
  /** Called with the rendered colours when the frame has rendered the page with its theme. */
  readonly onDrawn?: ((dressing: Dressing, pairs: DrawnPairs) => void) | undefined;
  /** The URL of the service that serves chats. */
  readonly chatAddress: string;
  readonly title: string;
  /** The plain HTTP origins that the flow calls from the page. Each new chat uses the current list. */
  readonly httpOrigins?: readonly string[] | undefined;
};

/**
 * The chat in a sandboxed document of another origin. The frame receives the chat and requests each reply over a
 * message port, so that the author's session stays in this page.
 */
export function PreviewFrame(props: PreviewFrameProps) {
  const { shown, hear, dressing, onPart, onDrawn, chatAddress, title, httpOrigins = [] } = props;
  const element = useRef<HTMLIFrameElement>(null);
  const { number } = shown;
  // A new URL would load a new document, which would restart the chat.
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
      // A message that was sent before the last change of the theme describes an outdated theme.
      if (asked.kind === "drawn" && dressing && asked.number === numbered.current.number)
        onDrawn?.(dressing, asked.pairs);
      return hear(number, asked);
    },
  });
  // A new chat with the same number is shown in the existing frame.
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
