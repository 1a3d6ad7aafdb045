import { itemsOf } from "../../../interpreter/ways.ts";
import type { Rule } from "../rule.ts";

export const duplicateItemId: Rule = {
  name: "duplicate_item_id",
  severity: "warning",
  about:
    "Two items of one block have the same id: a reply by that id means the first. Items of different blocks may share an id (an info), but figures by item count them together.",
  advice: "Give the item an id of its own.",
  *find({ blocks }) {
    const seen = new Map<string, string>();
    for (const { block, group, path } of blocks) {
      for (const { at, id } of itemsOf(block)) {
        if (id === undefined) continue;
        const owner = seen.get(id);
        if (owner === undefined) {
          seen.set(id, block.id);
          continue;
        }
        const isSameBlock = owner === block.id;
        yield {
          ...{ path: `${path}.${at}`, groupId: group.id, blockId: block.id, itemId: id },
          message: isSameBlock
            ? "An earlier item of this block has the same id, and a reply by it means that one."
            : "An item of another block has the same id.",
          ...(!isSameBlock && { severity: "info" as const }),
        };
      }
    }
  },
};
