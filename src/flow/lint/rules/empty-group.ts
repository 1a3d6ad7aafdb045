import type { Rule } from "../rule.ts";

export const emptyGroup: Rule = {
  name: "empty_group",
  severity: "warning",
  about: "A group without blocks: a chat that comes there ends. One that nothing leads to is an info.",
  advice: "Add a block, or remove the group.",
  *find({ flow }) {
    const targets = new Set(flow.edges.map(({ to }) => to?.groupId));
    for (const [index, group] of flow.groups.entries()) {
      // A group that holds nothing but the start of an older flow is no group there.
      if (group.blocks && group.blocks.length > 0) continue;
      const isTarget = targets.has(group.id);
      yield {
        ...{ path: `groups[${index}]`, groupId: group.id },
        message: isTarget ? "This group is empty, so chats that come here end." : "This group is empty.",
        ...(!isTarget && { severity: "info" as const }),
      };
    }
  },
};
