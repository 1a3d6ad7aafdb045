import type { ComponentType } from "preact";
import type { Words } from "../../conversation/words.ts";

export type BubbleProps = {
  readonly id: string;
  readonly content: unknown;
  readonly words: Words;
};

/** Draws one kind of bubble. `isEmpty` is true of contents that are not shown. */
export type BubbleKind = { readonly View: ComponentType<BubbleProps>; isEmpty?(content: unknown): boolean };
