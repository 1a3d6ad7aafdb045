import { reachableFrom } from "../graph.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const unreachableGroup: Rule = {
  name: "unreachable_group",
  severity: "warning",
  about:
    "No path from the start, from an event or from a linking bot leads to a block of this group. Groups that only this group leads to are not reported separately. If a jump or a link gets its group from a variable, every group counts as reachable.",
  advice: "Connect an edge to the group, or remove the group.",
  dependsOnLinks: true,
  *find(linted) {
    const { graph } = linted;
    if (graph.goesAnywhere || graph.reachable.size === 0) return;
    const lost = lostGroups(linted);
    const heads = lost.filter(({ before }) => before.size === 0);
    const behind = reachableFrom(
      heads.flatMap(({ nodes }) => nodes),
      graph.steps,
    );
    for (const { place } of heads) yield { ...place, message: "Nothing leads to this group." };
    // The remaining groups are in loops of unreachable groups. One finding per loop is sufficient.
    for (const { place, nodes } of lost) {
      if (nodes.some((node) => behind.has(node))) continue;
      for (const node of reachableFrom(nodes, graph.steps)) behind.add(node);
      yield { ...place, message: "Only groups that no chat reaches lead to this group." };
    }
  },
};

/** Returns the groups with blocks that no chat reaches, each with the other groups that lead to it. */
function lostGroups({ flow, blocks, graph }: LintedFlow) {
  const groupOf = blocks.map(({ group }) => group.id);
  const nodesOf = Map.groupBy(blocks.keys(), (node) => groupOf[node] ?? "");
  const before = new Map<string, Set<string>>();
  for (const [node, steps] of graph.steps.entries()) {
    const from = groupOf[node] ?? "";
    for (const next of steps.flatMap(({ to }) => to)) {
      const to = groupOf[next] ?? "";
      if (to !== from) before.set(to, (before.get(to) ?? new Set()).add(from));
    }
  }
  return flow.groups.flatMap(({ id }, index) => {
    const nodes = nodesOf.get(id) ?? [];
    if (nodes.length === 0 || nodes.some((node) => graph.reachable.has(node))) return [];
    const place: Pick<Found, "path" | "groupId"> = { path: `groups[${index}]`, groupId: id };
    return [{ place, nodes, before: before.get(id) ?? new Set<string>() }];
  });
}
