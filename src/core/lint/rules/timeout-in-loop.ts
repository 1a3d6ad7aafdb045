import { endlessBlocks } from "../endings.ts";
import { placeIn } from "../facts.ts";
import type { Graph, Step } from "../graph.ts";
import type { Rule } from "../rule.ts";

export const timeoutInLoop: Rule = {
  name: "timeout_in_loop",
  severity: "info",
  about:
    "Time-outs lead back to the input that waits, so a chat that its visitor has left continues on its own and never ends. A loop with an exit, such as a condition on a counter, is not reported.",
  advice: "Count the repetitions and leave the loop after some of them, or let the last time-out lead to an end.",
  *find({ blocks, graph }) {
    const timed = new Set(blocks.flatMap(({ node }) => (graph.steps[node]?.some(isTimeout) ? [node] : [])));
    if (timed.size === 0) return;
    const endless = endlessBlocks(withoutVisitor(graph, timed));
    for (const linted of blocks) {
      if (!timed.has(linted.node) || !endless.has(linted.node)) continue;
      yield {
        ...placeIn(linted, "options.timeout"),
        message: "If the visitor has left, the flow waits and continues from here endlessly.",
      };
    }
  },
};

/**
 * Returns the graph for a chat whose visitor has left. Blocks with a time-out do not wait, and continue only by the
 * time-out.
 */
function withoutVisitor({ ways, steps, ...graph }: Graph, timed: ReadonlySet<number>): Graph {
  return {
    ...graph,
    ways: ways.map((one, node) => (timed.has(node) ? { ...one, waits: false } : one)),
    steps: steps.map((all, node) => (timed.has(node) ? all.filter(isTimeout) : all)),
  };
}

function isTimeout({ way }: Step): boolean {
  return "at" in way && way.at === "options.timeout";
}
