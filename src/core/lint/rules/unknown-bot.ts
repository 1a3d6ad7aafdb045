import type { Rule } from "../rule.ts";

export const unknownBot: Rule = {
  name: "unknown_bot",
  severity: "warning",
  about:
    "A link names a bot that this workspace does not have, or that is not published: the link is passed over, with an entry in the result's log.",
  advice: "Choose a bot of this workspace, and publish it.",
  needsWorkspace: true,
  *find({ blocks, graph, facts: { linkedBots } }) {
    for (const { block, group, path, node } of blocks) {
      for (const way of graph.ways[node]?.ways ?? []) {
        if (way.kind !== "link" || linkedBots?.get(way.botId) !== null) continue;
        yield {
          ...{ path: `${path}.options.typebotId`, groupId: group.id, blockId: block.id },
          message: "The bot that it links to is not in this workspace, or is not published.",
        };
      }
    }
  },
};
