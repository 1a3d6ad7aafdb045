import type { Graph } from "./graph.ts";

/**
 * Returns, for each block, the blocks in `among` that lead to it. A block is listed once for each of its connections.
 */
function predecessors({ steps }: Pick<Graph, "steps">, among: Iterable<number>): Map<number, number[]> {
  const before = new Map<number, number[]>();
  for (const node of among) {
    for (const { to } of steps[node] ?? []) {
      for (const next of to) {
        const known = before.get(next);
        if (known) known.push(node);
        else before.set(next, [node]);
      }
    }
  }
  return before;
}

/** Returns the blocks that chats or events can reach, but from which no waiting block and no end can be reached. */
export function endlessBlocks(graph: Graph): ReadonlySet<number> {
  const before = predecessors(graph, graph.reachable);
  const endless = new Set(graph.reachable);
  const open = [...graph.reachable].filter((node) => {
    const steps = graph.steps[node] ?? [];
    return graph.ways[node]?.waits !== false || steps.length === 0 || steps.some(({ to }) => to.length === 0);
  });
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!endless.delete(node)) continue;
    for (const earlier of before.get(node) ?? []) open.push(earlier);
  }
  return endless;
}

/**
 * Whether every walk from a block reaches one of the given blocks. A walk that can stay in a loop may never reach them.
 */
export function alwaysComesTo(
  graph: Pick<Graph, "steps">,
  { from, to }: { readonly from: number; readonly to: readonly number[] },
): boolean {
  const before = predecessors(graph, graph.steps.keys());
  // A continuation without a target counts as an end.
  const left = graph.steps.map((steps) => steps.reduce((sum, step) => sum + Math.max(1, step.to.length), 0));
  const met = new Set(to);
  const open = [...met];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const earlier of before.get(node) ?? []) {
      const count = (left[earlier] ?? 0) - 1;
      left[earlier] = count;
      if (count > 0 || met.has(earlier)) continue;
      met.add(earlier);
      open.push(earlier);
    }
  }
  return met.has(from);
}
