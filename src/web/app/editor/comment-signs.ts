import { type Signal, signal } from "@preact/signals";

/** The subject of a comment thread: a group, a block, a frame, or a point of the canvas. */
export type CommentPlace =
  | { readonly kind: "group" | "block" | "frame"; readonly id: string }
  | { readonly kind: "place"; readonly x: number; readonly y: number };

/**
 * The facts about an open bot's comments that are available before the code for comments is loaded. The loaded code
 * updates them.
 */
export type CommentSigns = {
  /** Changes whenever comments have changed. */
  readonly changed: Signal<number>;
  /** The number of open threads by the id of their object. */
  readonly openAt: Signal<ReadonlyMap<string, number>>;
  /** Whether an open thread is attached to an object or a point, so that the canvas shows a mark. */
  readonly isMarked: Signal<boolean>;
  /** The number of comments that this person has not read. */
  readonly unseen: Signal<number>;
};

export function createCommentSigns(): CommentSigns {
  return { changed: signal(0), openAt: signal(new Map()), isMarked: signal(false), unseen: signal(0) };
}

/** Starts a comment on an object, or shows the next open thread. */
export type CommentAct = (act: "add" | "next", at?: CommentPlace) => void;
