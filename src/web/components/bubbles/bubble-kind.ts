import type { ComponentType } from "preact";
import type { Words } from "../../conversation/words.ts";

export type BubbleProps = {
  readonly id: string;
  readonly content: unknown;
  readonly words: Words;
};

/** Draws one kind of bubble. `isEmpty` is true for contents that are not shown. */
export type BubbleKind = {
  readonly View: ComponentType<BubbleProps>;
  /** Style that only this kind needs: bubbles adopt it, and the server puts it into the document. */
  readonly css?: string;
  isEmpty?(content: unknown): boolean;
};
