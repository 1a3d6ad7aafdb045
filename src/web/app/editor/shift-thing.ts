import { walkOf } from "../../../core/editing/references/walk.ts";
import { shiftBlock, shiftItem } from "./commands/blocks.ts";
import type { FlowThing } from "./commands/command.ts";
import type { Done, Editor } from "./editor.ts";

/**
 * Moves a block or an item up or down by one position. At the start or end of its group, a block moves into the
 * previous or next group in walking order. Returns undefined for other objects, which have no order.
 */
export function shiftThing(
  editor: Editor,
  { kind, id, blockId }: { readonly kind: string } & Pick<FlowThing, "id" | "blockId">,
  by: -1 | 1,
): Done | undefined {
  if (kind === "item") return editor.run(shiftItem, { blockId: blockId ?? "", itemId: id, by });
  if (kind !== "block") return undefined;
  const walk = walkOf(editor.copy.view());
  const groupOrder = [...walk.beginnings.flatMap(({ groupIds }) => groupIds), ...walk.unreachable];
  return editor.run(shiftBlock, { blockId: id, by, groupOrder });
}
