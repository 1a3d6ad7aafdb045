import { placeIn } from "../facts.ts";
import { reachableFrom } from "../graph.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const allBlocksSkipped: Rule = {
  name: "all_blocks_skipped",
  severity: "warning",
  about:
    "Chats reach only blocks that are skipped: blocks of an unsupported type (`unknown_block_type`), or links to bots that do not exist (`unknown_bot`). Visitors therefore see an empty page.",
  advice: "Replace these blocks, or publish the bots that they link to.",
  needsWorkspace: true,
  *find(linted) {
    const { blocks, graph } = linted;
    const [start] = graph.start === undefined ? [] : blocks.filter(({ node }) => node === graph.start);
    if (!start) return;
    if ([...reachableFrom([start.node], graph.steps)].every((node) => isSkipped(linted, node)))
      yield { ...placeIn(start), message: "Every block that chats reach is skipped, so visitors see nothing." };
  },
};

function isSkipped({ blocks, registry, graph, facts }: LintedFlow, node: number): boolean {
  const type = blocks[node]?.block.type;
  if (type === undefined || !registry.has(type)) return true;
  return (
    graph.ways[node]?.ways.some((way) => way.kind === "link" && facts.linkedBots?.get(way.botId) === null) ?? false
  );
}
