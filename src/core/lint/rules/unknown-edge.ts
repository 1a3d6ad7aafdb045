import type { Change, DraftDocument } from "../../editing/changes/change.ts";
import { eachBlock, idOf, objectsIn } from "../../editing/changes/things.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../../editing/references/outlets.ts";
import type { FixedFinding } from "../rule.ts";
import { hasId, type Rule } from "../rule.ts";

export const unknownEdge: Rule = {
  name: "unknown_edge",
  severity: "warning",
  about:
    "A block, an item or an event refers to an edge that the flow does not have. The chat ends there, even if more blocks follow in the group. An edge that is never used, such as the edge of a bubble that is followed by more blocks, is not reported.",
  advice: "Draw the edge again, or remove `outgoingEdgeId`.",
  *find(linted) {
    for (const { edgeId, path, ids } of linted.edgeSources) {
      if (linted.program.edges.has(edgeId)) continue;
      yield {
        ...ids,
        path,
        edgeId,
        message: "The outgoing edge does not exist.",
        isFixable: hasId(ids),
      };
    }
  },
  fix: {
    about: "Removes the id of the missing edge, so that the flow continues with the next block.",
    changes(draft, findings) {
      const known = new Set(draft.edges.map(({ id }) => id));
      return outletsOf(draft, findings).flatMap(({ edgeId = "", target, path }): Change[] =>
        known.has(edgeId) ? [] : [{ op: "set", ...target, path }],
      );
    },
  },
};

/** Returns the outlets whose edges are in the findings. */
function outletsOf(draft: DraftDocument, findings: readonly FixedFinding[]): Outlet[] {
  const holders = new Set(findings.map(({ blockId, eventId }) => blockId ?? eventId));
  const edges = new Set(findings.map(({ edgeId }) => edgeId));
  return [
    ...objectsIn(draft.events).flatMap((event) => (holders.has(idOf(event)) ? (outletOfEvent(event) ?? []) : [])),
    ...[...eachBlock(draft)].flatMap(({ block }) => (holders.has(idOf(block)) ? outletsOfBlock(block) : [])),
  ].filter(({ edgeId = "" }) => edges.has(edgeId));
}
