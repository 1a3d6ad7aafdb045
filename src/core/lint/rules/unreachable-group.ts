import type { Rule } from "../rule.ts";

export const unreachableGroup: Rule = {
  name: "unreachable_group",
  severity: "warning",
  about:
    "No path from the start, from an event or from a linking bot leads to a block of this group. Where a jump or a link names its group by a variable, every group counts as reached.",
  advice: "Lead an edge to the group, or remove it.",
  dependsOnLinks: true,
  *find({ flow, blocks, graph }) {
    if (graph.goesAnywhere || graph.reachable.size === 0) return;
    const reached = new Set(blocks.filter(({ node }) => graph.reachable.has(node)).map(({ group }) => group.id));
    for (const [index, group] of flow.groups.entries()) {
      if (reached.has(group.id) || !group.blocks?.some(({ type }) => type !== "start")) continue;
      yield { path: `groups[${index}]`, groupId: group.id, message: "Nothing leads to this group." };
    }
  },
};
