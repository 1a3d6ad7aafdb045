import { isJsonObject, type JsonObject, textAt } from "../../../core/interpreter/flow.ts";
import type { Box, View } from "../canvas/contract.ts";
import { framesIn } from "../editor/commands/surroundings.ts";
import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import type { BlockType } from "../forms/reading.ts";

type Titles = { readonly onCanvas: string; readonly types?: ReadonlyMap<string, BlockType> | undefined };

/**
 * Returns the title of the object that a thread belongs to. The title of a block includes its group. Returns undefined
 * for null, and if the object was removed.
 */
export function titleOfPlace(
  { editor }: OpenBot,
  place: CommentPlace | null,
  { onCanvas, types }: Titles,
): string | undefined {
  const { store } = editor;
  switch (place?.kind) {
    case "group":
      return titled(store.find.group(place.id));
    case "block": {
      const found = store.find.block(place.id);
      if (!found) return undefined;
      const type = types?.get(textAt(found.block, "type") ?? "")?.editor.name;
      const name = variableOf(editor, found.block) ?? type ?? "";
      const group = titled(store.find.group(found.groupId)) ?? "";
      return [group, name].filter((part) => part !== "").join(" · ");
    }
    case "frame": {
      const frame = framesIn(store.draft.value).find(({ id }) => id === place.id);
      return frame && (frame.title || onCanvas);
    }
    case "place":
      return onCanvas;
    case undefined:
      return undefined;
  }
}

/**
 * Returns the name of the variable that a block sets, by which authors recognise a question. Undefined if the block
 * sets no variable.
 */
function variableOf({ store }: OpenBot["editor"], block: JsonObject): string | undefined {
  const id = textAt(block, "options", "variableId");
  return id === undefined ? undefined : store.variables.value.find((one) => one.id === id)?.name;
}

function titled(group: unknown): string | undefined {
  return isJsonObject(group) ? (textAt(group, "title") ?? "") : undefined;
}

/**
 * Returns the position of a comment mark on the canvas: above the right edge of a card or a frame, beside a row, or at
 * the place itself. Undefined if the object does not exist.
 */
export function cornerOf({ editor }: OpenBot, { scene }: Pick<View, "scene">, place: CommentPlace) {
  const right = ({ x, y, width }: Pick<Box, "x" | "y" | "width">) => ({ x: x + width - 20, y: y - 27 });
  const { cards, rowOf } = scene.value;
  switch (place.kind) {
    case "group": {
      const box = cards.get(place.id)?.box;
      return box && right(box);
    }
    case "block": {
      const found = rowOf(place.id);
      if (!found) return undefined;
      const { box } = found.card;
      return { x: box.x + box.width + 9, y: box.y + found.row.y + found.row.height / 2 - 12 };
    }
    case "frame": {
      const frame = framesIn(editor.store.draft.value).find(({ id }) => id === place.id);
      return frame && right(frame);
    }
    case "place":
      return { x: place.x, y: place.y };
  }
}

/** Selects the object of a comment on the canvas and in the outline. A place on the empty canvas selects nothing. */
export function choosePlace({ editor }: OpenBot, place: CommentPlace): void {
  if (place.kind !== "place") editor.selection.select({ kind: place.kind, id: place.id });
}
