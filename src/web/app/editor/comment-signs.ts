import { type Signal, signal } from "@preact/signals";

/** The place that a thread is about: a thing of the flow, or a point of the canvas. */
export type CommentPlace =
  | { readonly kind: "group" | "block" | "frame"; readonly id: string }
  | { readonly kind: "place"; readonly x: number; readonly y: number };

/**
 * The facts about an open bot's comments that are known before their part of the builder is loaded, and that this part
 * updates afterwards.
 */
export type CommentSigns = {
  /** The number changes when comments have changed. */
  readonly changed: Signal<number>;
  /** Open threads by the id of their thing. */
  readonly openAt: Signal<ReadonlyMap<string, number>>;
  /** Whether an open thread has a place, so that the canvas has a mark for it. */
  readonly isMarked: Signal<boolean>;
  /** Comments that this person has not seen. */
  readonly unseen: Signal<number>;
};

export function createCommentSigns(): CommentSigns {
  return { changed: signal(0), openAt: signal(new Map()), isMarked: signal(false), unseen: signal(0) };
}

/** Requests a comment at a place, or the next open thread. */
export type CommentAct = (act: "add" | "next", at?: CommentPlace) => void;
