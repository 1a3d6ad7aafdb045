import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";

/**
 * Returns the selected object for a comment. A selected item counts as its block. Returns undefined for any other
 * selection than a frame, a group, a block or an item.
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
