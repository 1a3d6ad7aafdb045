import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";

/**
 * Returns the selected object for a comment. A selected item counts as its block. Undefined if no group, block, item or
 * frame is selected.
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
