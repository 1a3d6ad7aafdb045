import type { FlowThing } from "../editor/commands/command.ts";
import type { CardRow } from "./contract.ts";

/**
 * Returns the selection for a row: its block, its item, or an outlet of them. Returns undefined for an item or a button
 * of an old flow that has no id.
 */
export function selectionOfRow({ kind, blockId, itemId, pathId, way }: CardRow): FlowThing | undefined {
  switch (kind) {
    case "block":
      return { kind: "block", id: blockId };
    case "otherwise":
    case "way":
      return { kind: "block", id: blockId, part: way ?? kind };
    case "item":
    case "button": {
      const part = kind === "button" ? pathId : undefined;
      if (itemId === undefined || (kind === "button" && part === undefined)) return undefined;
      return { kind: "item", id: itemId, blockId, ...(part !== undefined && { part }) };
    }
    default:
      return kind satisfies never;
  }
}

export function isRowOf(row: CardRow, now: FlowThing): boolean {
  const own = selectionOfRow(row);
  return (
    own !== undefined &&
    own.kind === now.kind &&
    own.id === now.id &&
    own.part === now.part &&
    (own.kind === "block" || own.blockId === now.blockId)
  );
}
