import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const loopWithoutInput: Rule = {
  name: "loop_without_input",
  severity: "warning",
  about:
    "Blocks form a loop that never waits for the visitor and has no exit, so the step exceeds its limit of work and is rejected. This is an error if every chat reaches the loop before its first question, because no chat can start. Loops with an exit, such as a condition on a counter, are not reported.",
  advice: "Add an exit to the loop, or a block that waits for the visitor.",
  *find({ blocks, graph, endless }) {
    const breaksStarts = graph.start !== undefined && endless.has(graph.start);
    const seen = new Set<number>();
    for (const node of endless) {
      const path: number[] = [];
      let at: number | undefined = node;
      while (at !== undefined && !seen.has(at)) {
        seen.add(at);
        path.push(at);
        at = graph.steps[at]?.[0]?.to[0];
      }
      const from = at === undefined ? -1 : path.indexOf(at);
      const first = from < 0 ? undefined : blocks[Math.min(...path.slice(from))];
      if (!first) continue;
      yield {
        ...placeIn(first),
        message: "The flow returns to this block endlessly, without waiting or ending.",
        ...(breaksStarts && { severity: "error" as const }),
      };
    }
  },
};
