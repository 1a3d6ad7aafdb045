import { placeIn } from "../facts.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const loopWithoutInput: Rule = {
  name: "loop_without_input",
  severity: "error",
  about:
    "Blocks form a loop that never waits for the visitor and has no way out: the step exceeds its budget and is refused. Loops with a way out, such as a condition on a counter, are not reported.",
  advice: "Add a way out of the loop, or a block that waits for the visitor.",
  *find(linted) {
    const { blocks, graph } = linted;
    const endless = withoutEnd(linted);
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
        message: "The flow returns to this block again and again, without waiting or ending.",
      };
    }
  },
};

/** The blocks that visitors come to and from which no way leads to one that waits, or to an end. */
function withoutEnd({ graph }: LintedFlow): Set<number> {
  const before = new Map<number, number[]>();
  const open: number[] = [];
  const endless = new Set(graph.reachable);
  for (const node of graph.reachable) {
    const steps = graph.steps[node] ?? [];
    for (const { to } of steps) {
      for (const next of to) {
        const known = before.get(next);
        if (known) known.push(node);
        else before.set(next, [node]);
      }
    }
    const mayEnd = steps.length === 0 || steps.some(({ to }) => to.length === 0);
    if (graph.ways[node]?.waits !== false || mayEnd) open.push(node);
  }
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!endless.delete(node)) continue;
    for (const earlier of before.get(node) ?? []) open.push(earlier);
  }
  return endless;
}
