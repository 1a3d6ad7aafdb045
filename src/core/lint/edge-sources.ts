import type { StoredFlow } from "../flow/document.ts";
import { isStart } from "../interpreter/flow.ts";
import type { LintedBlock } from "./facts.ts";
import type { FindingIds } from "./finding-ids.ts";
import type { Graph } from "./graph.ts";

/** A block, item or event that follows an edge. */
export type EdgeSource = {
  readonly ids: Omit<FindingIds, "edgeId">;
  readonly edgeId: string;
  readonly path: string;
  /** Whether a visitor may come to it. */
  readonly isReachable: boolean;
  /** Whether it is followed only after a failure, and shows a message of its own. */
  readonly isFallback: boolean;
  readonly isStart: boolean;
};

/** Every edge that is followed, once for each block, item or event that follows it. An edge that no walk takes is left out. */
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
    const { outgoingEdgeId: edgeId, id: eventId } = event;
    yield { edgeId, path, ids: { eventId }, isReachable: true, isFallback: false, isStart: isStart(event) };
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
        isReachable: graph.reachable.has(node),
        isFallback: !isOwn && way.at === "options.failure",
        isStart: false,
      };
    }
  }
}
