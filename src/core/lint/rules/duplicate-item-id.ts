import type { Change } from "../../editing/changes/change.ts";
import { eachBlock, entriesOf, idOf } from "../../editing/changes/things.ts";
import { textAt } from "../../interpreter/flow.ts";
import { itemsOf } from "../../interpreter/program/ways.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const duplicateItemId: Rule = {
  name: "duplicate_item_id",
  severity: "warning",
  about:
    "Two items of one block have the same id, so a reply with that id selects the first item. Items of different blocks may share an id (an info), but statistics by item count them together.",
  advice: "Give the item a unique id.",
  *find({ blocks }) {
    const seen = new Map<string, string>();
    for (const linted of blocks) {
      const { block } = linted;
      for (const { at, id } of itemsOf(block)) {
        if (id === undefined) continue;
        const owner = seen.get(id);
        if (owner === undefined) {
          seen.set(id, block.id);
          continue;
        }
        const isSameBlock = owner === block.id;
        yield {
          ...placeIn(linted, at, id),
          message: isSameBlock
            ? "An earlier item of this block has the same id, and a reply with this id selects the earlier item."
            : "An item of another block has the same id.",
          ...(!isSameBlock && { severity: "info" as const }),
          // Card buttons, and items with the id of another block's item, are not fixable. Clients and statistics
          // identify them by their current id.
          isFixable: isSameBlock && /^items\[\d+\]$/.test(at),
        };
      }
    }
  },
  fix: {
    about: "Gives the later item of the block a unique id, and updates the item's edge.",
    changes(draft, findings, { newId }) {
      const wanted = new Set(findings.map(({ blockId }) => blockId));
      return [...eachBlock(draft)].flatMap(({ block }): Change[] => {
        const id = idOf(block);
        if (id === undefined || !wanted.has(id)) return [];
        const seen = new Set<string>();
        return entriesOf(block["items"]).flatMap((item, index): Change[] => {
          const itemId = idOf(item);
          if (itemId === undefined || !seen.has(itemId)) {
            if (itemId !== undefined) seen.add(itemId);
            return [];
          }
          const value = newId();
          const edge = draft.edges.find((one) => one.id === textAt(item, "outgoingEdgeId"));
          return [
            { op: "set", of: "block", id, path: ["items", index, "id"], value },
            ...(edge && textAt(edge, "from", "itemId") === itemId
              ? [{ op: "set", of: "edge", id: edge.id, path: ["from", "itemId"], value } as const]
              : []),
          ];
        });
      });
    },
  },
};
