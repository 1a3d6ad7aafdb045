import type { StoredFlow } from "../flow/document.ts";
import type { LintedBlock } from "./facts.ts";
import type { FindingIds } from "./finding-ids.ts";
import type { Graph } from "./graph.ts";

/** A block, item or event that leads to an edge. */
export type EdgeSource = {
  readonly ids: Omit<FindingIds, "edgeId">;
  readonly edgeId: string;
  readonly path: string;
};

/**
 * Yields every edge in use, once for each event, block or item that leads to it. Edges of blocks and items that no walk
 * can follow are skipped.
 */
export function* edgeSources({
  flow,
  blocks,
  graph,
}: {
  flow: StoredFlow;
  blocks: readonly LintedBlock[];
  graph: Graph;
}): Generator<EdgeSource> {
  for (const [index, event] of (flow.events ?? []).entries()) {
    if (typeof event.outgoingEdgeId !== "string") continue;
    const path = `events[${index}]`;
    yield { edgeId: event.outgoingEdgeId, path, ids: { eventId: event.id } };
  }
  for (const { block, group, path, node } of blocks) {
    const seen = new Set<string>();
    for (const { edgeId, way } of graph.steps[node] ?? []) {
      if (edgeId === undefined) continue;
      const isOwn = way.kind !== "edge";
      const at = isOwn || way.at === undefined ? path : `${path}.${way.at}`;
      if (seen.has(`${at} ${edgeId}`)) continue;
      seen.add(`${at} ${edgeId}`);
      yield {
        ...{ edgeId, path: at },
        ids: {
          ...{ groupId: group.id, blockId: block.id },
          ...(!isOwn && way.itemId !== undefined && { itemId: way.itemId }),
        },
      };
    }
  }
}
