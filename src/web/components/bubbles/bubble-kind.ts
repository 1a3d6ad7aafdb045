import type { ComponentType } from "preact";
import type { Words } from "../../conversation/words.ts";

export type BubbleProps = {
  readonly id: string;
  readonly content: unknown;
  readonly words: Words;
};

/** Draws one kind of bubble. `isEmpty` returns true for content that is not shown. */
export type BubbleKind = {
  readonly View: ComponentType<BubbleProps>;
  /**
   * A style sheet that only this kind needs. In the browser, a bubble adds it to the document. The server includes it
   * in the page.
   */
  readonly css?: string;
  isEmpty?(content: unknown): boolean;
};
