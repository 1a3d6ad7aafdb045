import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";

/**
 * Returns the object that a comment on the selection belongs to: a frame, a group or a block. A selected item counts as
 * its block. Returns undefined for any other selection.
 */
export function selectedPlace({ editor }: OpenBot): CommentPlace | undefined {
  const frame = editor.selection.beside.value.at(-1);
  if (frame?.kind === "frame") return { kind: "frame", id: frame.id };
  const thing = editor.selection.focus.value;
  switch (thing?.kind) {
    case "group":
    case "block":
      return { kind: thing.kind, id: thing.id };
    case "item":
      return thing.blockId === undefined ? undefined : { kind: "block", id: thing.blockId };
    default:
      return undefined;
  }
}
