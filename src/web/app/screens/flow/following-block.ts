import { useMemo } from "preact/hooks";
import { addBlock } from "../../editor/commands/blocks.ts";
import { blocksIn, idAfter } from "../../editor/commands/command.ts";
import type { OpenBot } from "../../editor/index.ts";
import type { FollowingType } from "../../forms/contract.ts";
import type { BlockType } from "../../forms/index.ts";
import { announce, toast } from "../../ui/index.ts";

/** Returns a function that adds a block below another block and opens its form. */
export function useFollowing(
  { editor }: OpenBot,
  { blockId, types }: { readonly blockId: string; readonly types: ReadonlyMap<string, BlockType> | undefined },
): (type: FollowingType) => void {
  return useMemo(
    () => (name) => {
      const type = types?.get(name);
      const groupId = editor.store.find.block(blockId)?.groupId;
      const group = groupId === undefined ? undefined : editor.store.find.group(groupId);
      if (!type || !group || groupId === undefined) return;
      const facts = { type: name, name: type.editor.name, schema: { ...type.schema }, start: type.editor.start };
      const done = editor.run(addBlock, { type: facts, groupId, before: idAfter(blocksIn(group), blockId) });
      if (done.kind === "done") announce(done.title);
      else toast(done.sentence);
    },
    [editor, blockId, types],
  );
}
