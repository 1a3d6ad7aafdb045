import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { idOf } from "../../../../core/editing/changes/things.ts";
import { outletsOfBlock } from "../../../../core/editing/references/outlets.ts";
import { isJsonObject } from "../../../../core/interpreter/flow.ts";
import { blocksIn, type Command, findGroup, groupsIn } from "./command.ts";

/** Locks or unlocks groups. A locked group is protected from accidental changes. */
export const lock: Command<{ readonly groupIds: readonly string[]; readonly isLocked: boolean }> = {
  name: (words, { groupIds, isLocked }) => (isLocked ? words.acts.lock : words.acts.unlock)({ count: groupIds.length }),
  make(draft, { groupIds, isLocked }) {
    const others = groupIds.filter((id) => findGroup(draft, id) && isGroupLocked(draft, id) !== isLocked);
    return {
      changes: others.map(
        (id): Change => ({ op: "set", of: "editor", path: ["locks", id], ...(isLocked && { value: true }) }),
      ),
    };
  },
};

export function isGroupLocked({ editor }: DraftDocument, groupId: string): boolean {
  const locks = editor?.["locks"];
  return isJsonObject(locks) && Object.hasOwn(locks, groupId) && locks[groupId] === true;
}

/** Whether changes affect a locked group or its contents. An edge that leads to the group does not count. */
export function touchesLocked(draft: DraftDocument, changes: readonly Change[]): boolean {
  const locks = draft.editor?.["locks"];
  if (!isJsonObject(locks)) return false;
  const locked = groupsIn(draft).filter((group) => isGroupLocked(draft, idOf(group) ?? ""));
  if (locked.length === 0) return false;
  const groupIds = new Set(locked.map(idOf));
  const blocks = locked.flatMap(blocksIn);
  const blockIds = new Set(blocks.map(idOf));
  const edgeIds = new Set(blocks.flatMap(outletsOfBlock).map(({ edgeId }) => edgeId));
  return changes.some((change) => {
    const id = change.op === "add" ? idOf(change.value) : change.id;
    switch (change.of) {
      case "group":
        // Moving a group within the list of groups has no visible effect.
        return change.op !== "move" && groupIds.has(id);
      case "block":
        return blockIds.has(id) || (change.in !== undefined && groupIds.has(change.in));
      case "item":
        return change.in !== undefined && blockIds.has(change.in);
      case "edge":
        return change.op !== "add" && edgeIds.has(id);
      default:
        return false;
    }
  });
}
