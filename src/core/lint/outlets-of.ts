import type { DraftDocument } from "../editing/changes/change.ts";
import { eachBlock, idOf, objectsIn } from "../editing/changes/things.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../editing/references/outlets.ts";
import type { FixedFinding } from "./rule.ts";

/** The places from which the flow goes on by the edges that findings name. */
export function outletsOf(draft: DraftDocument, findings: readonly FixedFinding[]): Outlet[] {
  const holders = new Set(findings.map(({ blockId, eventId }) => blockId ?? eventId));
  const edges = new Set(findings.map(({ edgeId }) => edgeId));
  return [
    ...objectsIn(draft.events).flatMap((event) => (holders.has(idOf(event)) ? (outletOfEvent(event) ?? []) : [])),
    ...[...eachBlock(draft)].flatMap(({ block }) => (holders.has(idOf(block)) ? outletsOfBlock(block) : [])),
  ].filter(({ edgeId = "" }) => edges.has(edgeId));
}
