import { valueAt } from "../../../../interpreter/flow.ts";
import { type Command, findBlock } from "./command.ts";

/** Writes a bubble's rich text where it stands. `opening` is one opening of its editor: what is written in it is one act. `title` is the field's. */
export const writeText: Command<{
  readonly blockId: string;
  readonly tree: readonly unknown[];
  readonly opening: string;
  readonly title: string;
}> = {
  id: "block.writeText",
  name: (words, { title }) => words.acts.setOption(title),
  make(draft, { blockId, tree, opening }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const path = ["content", "richText"];
    if (JSON.stringify(valueAt(found.block, ...path)) === JSON.stringify(tree)) return { changes: [] };
    return { changes: [{ op: "set", of: "block", id: blockId, path, value: tree }], field: `open/${opening}` };
  },
};
