import { type Command, changesOfBlock, findBlock, objectWith } from "./command.ts";

/** Sets an option of several blocks at once: one act, which is taken back as one. */
export const setInBlocks: Command<{
  readonly blockIds: readonly string[];
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly title?: string | undefined;
}> = {
  name: (words, { title, blockIds }) => words.acts.setOptionOf(title, blockIds.length),
  make(draft, { blockIds, path, value }) {
    const found = blockIds.flatMap((id) => findBlock(draft, id) ?? []);
    if (found.length === 0) return { refused: "gone" };
    const changes = found.flatMap(({ block }) =>
      changesOfBlock(block, { ...objectWith(block, path, value), id: block["id"] }),
    );
    return { changes, field: `blocks/${blockIds.join(" ")}/${JSON.stringify(path)}` };
  },
};
