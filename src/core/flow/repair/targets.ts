import type { Path } from "../../editing/changes/change.ts";
import { valueAtPath } from "../../editing/changes/things.ts";
import { referencesIn } from "../../editing/references/references.ts";
import { textAt } from "../../interpreter/flow.ts";
import type { StoredBlock, StoredGroup } from "../document.ts";
import type { Source } from "./sources.ts";

/** A block of a file with its original ids and its new ids. */
export type RepairedBlock = {
  readonly block: StoredBlock;
  readonly group: StoredGroup;
  readonly groupId: string;
  readonly id: string;
  readonly itemIds: readonly string[];
};

type Named = { readonly groupId?: string | null | undefined; readonly blockId?: string | null | undefined };
type Target = { readonly groupId?: string; readonly blockId?: string };

/** Maps the ids in a file to the new ids of its parts. */
export type Names = {
  /**
   * Returns the new ids of a group and one of its blocks. Among groups with the same id, the first group that contains
   * the block is preferred.
   */
  target(named: Named): Target;
  source(named: Source): Source;
  /**
   * Returns the new id of the first block with the id and type. Falls back to the first block with the id, and then to
   * the id itself.
   */
  block(id: string, type: string): string;
};

export function namesOf(
  all: readonly RepairedBlock[],
  groups: readonly StoredGroup[],
  groupIds: readonly string[],
): Names {
  const first = new Map<string, string>();
  const note = (key: string, id: string) => {
    if (!first.has(key)) first.set(key, id);
  };
  for (const [index, { id }] of groups.entries()) note(keyOf("group", id), groupIds[index] ?? id);
  for (const { block, group, groupId, id } of all) {
    note(keyOf("block", block.id), id);
    note(keyOf("type", block.id, block.type), id);
    note(keyOf("block in", group.id, block.id), id);
    note(keyOf("group of", group.id, block.id), groupId);
  }
  const find = (...keys: string[]) => keys.map((key) => first.get(key)).find((id) => id !== undefined);
  const target = ({ groupId, blockId }: Named): Target => {
    const at = groupId ?? "";
    const group = find(...(blockId ? [keyOf("group of", at, blockId)] : []), keyOf("group", at));
    const block = blockId ? find(keyOf("block in", at, blockId), keyOf("block", blockId)) : undefined;
    return { ...(group !== undefined && { groupId: group }), ...(block !== undefined && { blockId: block }) };
  };
  return {
    target,
    source: (named) => ({ ...named, ...target(named) }),
    block: (id, type) => find(keyOf("type", id, type), keyOf("block", id)) ?? id,
  };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join("\0");
}

/** Returns a block that refers to groups and blocks by their new ids. */
export function withTargets<Block extends StoredBlock>(
  block: Block,
  { block: stored, id }: RepairedBlock,
  names: Names,
): Block {
  const changes = referencesIn(stored).flatMap(({ to, value, path }): Change[] => {
    if (to !== "group" && to !== "block") return [];
    const around = valueAtPath(stored, path.slice(0, -1));
    const [groupId, blockId, botId] = ["groupId", "blockId", "typebotId"].map((key) => textAt(around, key));
    // A link to another bot refers to a group of that bot.
    if (botId !== undefined && botId !== "current") return [];
    const isOwner = path[0] === "items" && path.length === 3 && value === stored.id;
    const target = names.target({ groupId, blockId });
    const anew =
      to === "group"
        ? target.groupId
        : isOwner
          ? id
          : groupId === undefined
            ? names.block(value, waitingType)
            : target.blockId;
    return anew == null || anew === value ? [] : [{ path, value: anew }];
  });
  if (changes.length === 0) return block;
  const copied = structuredClone(block);
  for (const { path, value } of changes) {
    const around = valueAtPath(copied, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof around === "object" && around !== null && key !== undefined) Reflect.set(around, key, value);
  }
  return copied;
}

type Change = { readonly path: Path; readonly value: string };

/** The type of blocks that wait for webhook calls. Only these blocks are referenced without their group. */
const waitingType = "webhook";
