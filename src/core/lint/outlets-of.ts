import type { DraftDocument } from "../editing/changes/change.ts";
import { entriesOf, idOf } from "../editing/changes/things.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../editing/references/outlets.ts";
import { isJsonObject, valueAt } from "../interpreter/flow.ts";
import type { FixedFinding } from "./rule.ts";

/** The places from which the flow goes on by the edges that findings name. */
export function outletsOf(draft: DraftDocument, findings: readonly FixedFinding[]): Outlet[] {
  const holders = new Set(findings.map(({ blockId, eventId }) => blockId ?? eventId));
  const edges = new Set(findings.map(({ edgeId }) => edgeId));
  const blocks = entriesOf(draft.groups).flatMap((group) => entriesOf(valueAt(group, "blocks")));
  return [
    ...entriesOf(draft.events).flatMap((event) => {
      const outlet = isJsonObject(event) && holders.has(idOf(event)) ? outletOfEvent(event) : undefined;
      return outlet ? [outlet] : [];
    }),
    ...blocks.flatMap((block) => (isJsonObject(block) && holders.has(idOf(block)) ? outletsOfBlock(block) : [])),
  ].filter(({ edgeId = "" }) => edges.has(edgeId));
}
