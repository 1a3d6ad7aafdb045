import { disconnect, type Outlet } from "../../../../core/editing/references/outlets.ts";
import { isJsonObject, valueAt } from "../../../../core/interpreter/flow.ts";
import type { WayOutName } from "../../../../core/interpreter/schemas/own-keys.ts";
import { type Command, changesOfBlock, findBlock, objectWith } from "./command.ts";

/** The initial fields of an outlet: a time-out needs a time. */
export function newWayOut(name: WayOutName): object {
  return name === "timeout" ? { after: 600 } : {};
}

/** Gives a block a way out, which does not lead anywhere yet. `line`: its words on the card. */
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

/** Removes a way out from its block, with its edge. */
export const removeWayOut: Command<{ readonly from: Outlet; readonly line: string }> = {
  name: (words, { line }) => words.acts.removeWayOut({ line }),
  make(draft, { from }) {
    const block = findBlock(draft, from.target.id ?? "")?.block;
    if (!block) return { refused: "gone" };
    const options = block["options"];
    // If the surrounding object contains nothing else, it was made only for this way out.
    const isLast = isJsonObject(options) && Object.keys(options).length === 1;
    return {
      changes: [
        ...disconnect(draft, from),
        { op: "set", of: "block", id: from.target.id ?? "", path: isLast ? ["options"] : ["options", from.kind] },
      ],
    };
  },
};
