import { valueAt } from "../../../core/interpreter/flow.ts";
import type { ActContext } from "./act-context.ts";

/** Begins to edit on a card: its title, or the text of a row. Tells whether it can be. */
export function editOnCard(
  { bot, state }: ActContext,
  { id, blockId }: { readonly id: string; readonly blockId?: string },
): boolean {
  if (blockId === undefined) state.editing.value = { kind: "title", id };
  else if (Array.isArray(valueAt(bot.editor.store.find.block(blockId)?.block, "content", "richText")))
    state.editing.value = { kind: "text", id: blockId };
  else return false;
  return true;
}
