import { disconnect, type Outlet } from "../../../../core/editing/references/outlets.ts";
import { isJsonObject, valueAt } from "../../../../core/interpreter/flow.ts";
import type { WayOutName } from "../../../../core/interpreter/schemas/own-keys.ts";
import { type Command, changesOfBlock, findBlock, objectWith } from "./command.ts";

/** Returns the initial fields of an exit. A time-out needs a duration in seconds. */
export function newWayOut(name: WayOutName): object {
  return name === "timeout" ? { after: 600 } : {};
}

/**
 * Adds an unconnected exit to a block, unless the block already has it. `line` is the label of the exit on the card.
 */
export const addWayOut: Command<{ readonly blockId: string; readonly name: WayOutName; readonly line: string }> = {
  name: (words, { line }) => words.acts.addBlock({ name: line }),
  make(draft, { blockId, name }) {
    const block = findBlock(draft, blockId)?.block;
    if (!block) return { refused: "gone" };
    const thing = { kind: "block", id: blockId, part: name } as const;
    if (valueAt(block, "options", name) !== undefined) return { changes: [], selects: thing };
    return {
      changes: changesOfBlock(block, objectWith(block, ["options", name], newWayOut(name))),
      selects: thing,
    };
  },
};

/** Removes an exit and its edge from a block. */
export const removeWayOut: Command<{ readonly from: Outlet; readonly line: string }> = {
  name: (words, { line }) => words.acts.removeWayOut({ line }),
  make(draft, { from }) {
    const block = findBlock(draft, from.target.id ?? "")?.block;
    if (!block) return { refused: "gone" };
    const options = block["options"];
    // Options that contain only this exit are removed as well.
    const isLast = isJsonObject(options) && Object.keys(options).length === 1;
    return {
      changes: [
        ...disconnect(draft, from),
        { op: "set", of: "block", id: from.target.id ?? "", path: isLast ? ["options"] : ["options", from.kind] },
      ],
    };
  },
};
