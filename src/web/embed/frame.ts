/** What a frame calls its parts where the page has no names for them. */
export type FrameWords = { readonly chat: string; readonly close: string; readonly dismiss: string };

/** Until the chat knows its bot's language. */
export const usualWords: FrameWords = { chat: "Chat", close: "Close", dismiss: "Dismiss" };

/** The box that an element draws around its chat. */
export type Frame = {
  /** Where the chat is drawn. */
  readonly place: HTMLElement;
  /** Reads the element's attributes anew. */
  refresh(words: FrameWords): void;
  /** Shows or hides the chat. `isAsked`: a visitor wants it, so the focus may follow. */
  setOpen(isOpen: boolean, isAsked: boolean): void;
  /** Shows the message beside a bubble, or takes it away. */
  setPreview(text: string | undefined): void;
};

/** What a frame does with the element that it is in. */
export type FrameEvents = {
  readonly host: HTMLElement;
  readonly shell: HTMLElement;
  open(): void;
  close(): void;
  toggle(): void;
  dismissPreview(): void;
};
