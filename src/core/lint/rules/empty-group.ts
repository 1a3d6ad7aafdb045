import { entriesOf, idOf } from "../../editing/changes/things.ts";
import { removeParts } from "../../editing/references/outlets.ts";
import { isJsonObject } from "../../interpreter/flow.ts";
import type { Rule } from "../rule.ts";

export const emptyGroup: Rule = {
  name: "empty_group",
  severity: "warning",
  about:
    "A group has no blocks, so a chat that reaches the group ends. If no edge leads to the group, this is an info.",
  advice: "Add a block, or remove the group.",
  *find({ flow, graph, facts }) {
    const targets = new Set(flow.edges.map(({ to }) => to?.groupId));
    const jumped = new Set(
      graph.ways.flatMap(({ ways }) => ways.map((way) => ("groupId" in way ? way.groupId : undefined))),
    );
    for (const { groupId } of facts.linkedFrom ?? []) jumped.add(groupId ?? undefined);
    for (const [index, group] of flow.groups.entries()) {
      // Groups with blocks are skipped, including a group that contains only the start of an older flow.
      if (group.blocks && group.blocks.length > 0) continue;
      const isTarget = targets.has(group.id);
      yield {
        ...{ path: `groups[${index}]`, groupId: group.id },
        message: isTarget ? "This group is empty, so chats that reach it end." : "This group is empty.",
        ...(!isTarget && { severity: "info" as const }),
        isFixable: !isTarget && !jumped.has(group.id) && !graph.goesAnywhere,
      };
    }
  },
  fix: {
    about: "Removes an empty group that nothing leads to.",
    changes: (draft, findings) => {
      const groups = new Map(entriesOf(draft.groups).map((group) => [idOf(group), group]));
      const isEmpty = (id: string) => {
        const group = groups.get(id);
        return isJsonObject(group) && entriesOf(group["blocks"]).length === 0;
      };
      return removeParts(draft, {
        groupIds: findings.flatMap(({ groupId = "" }) => (isEmpty(groupId) ? [groupId] : [])),
      });
    },
  },
};
