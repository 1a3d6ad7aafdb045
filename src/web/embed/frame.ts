import type { Accent } from "../../core/theme/accent.ts";

/** The default names of a frame's parts. */
export type FrameWords = { readonly chat: string; readonly close: string; readonly dismiss: string };

/** Used until the bot's language is known. */
export const defaultWords: FrameWords = { chat: "Chat", close: "Close", dismiss: "Dismiss" };

/** The box that an element draws around its chat. */
export type Frame = {
  /** The element in which the chat is drawn. */
  readonly place: HTMLElement;
  /** Reads the element's attributes again. */
  refresh(words: FrameWords): void;
  /** Shows or hides the chat. `isAsked`: the visitor or the page requested this, so the focus may move. */
  setOpen?(isOpen: boolean, isAsked: boolean): void;
  /** Shows the message next to a bubble, or removes it. */
  setPreview?(text: string | undefined): void;
  /** Sets the colors of a bubble's button. Undefined sets the default colors. */
  setAccent?(accent: Accent | undefined): void;
  /** Counts a message that arrived while the chat was closed. Opening the chat marks all messages as read. */
  countUnread?(): void;
};

/** The element that contains a frame, and the functions that the frame's buttons call. */
export type FrameContext = {
  readonly host: HTMLElement;
  readonly shell: HTMLElement;
  open(): void;
  close(): void;
  toggle(): void;
  dismissPreview(): void;
};
