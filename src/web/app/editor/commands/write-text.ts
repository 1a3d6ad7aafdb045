import { valueAt } from "../../../../core/interpreter/flow.ts";
import { type Command, findBlock } from "./command.ts";
import { asEdits, type TypedOver, typedInto } from "./typed-text.ts";

/** Writes a bubble's rich text in place. `opening` is one opening of its editor: all text that is typed in it is one act. `title` is the field's. */
export const writeText: Command<{
  readonly blockId: string;
  readonly tree: readonly unknown[];
  /** The text that the editor showed before; absent: the stored one. */
  readonly over?: TypedOver;
  readonly opening: string;
  readonly title: string;
}> = {
  name: (words, { title }) => words.acts.setOption(title),
  make(draft, { blockId, tree, over, opening }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const path = ["content", "richText"];
    const now = valueAt(found.block, ...path);
    const value = over ? typedInto(now, { over, value: tree, path }) : tree;
    if (JSON.stringify(now) === JSON.stringify(value)) return { changes: [] };
    return {
      changes: asEdits(draft, [{ op: "set", of: "block", id: blockId, path, value }]),
      field: `open/${opening}`,
    };
  },
};
