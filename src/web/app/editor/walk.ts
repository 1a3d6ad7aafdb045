import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { outletOfEvent } from "../../../core/editing/references/outlets.ts";
import { linksOf } from "./reach.ts";

/** The order in which a flow is walked: its events, each with the groups that are first reached from there; then the unreachable groups. */
export type Walk = {
  readonly beginnings: readonly { readonly eventId: string; readonly groupIds: readonly string[] }[];
  readonly unreachable: readonly string[];
};

/** Groups in walking order: the one that is reached first, block by block, comes first. */
export function walkOf(draft: DraftDocument): Walk {
  const links = Map.groupBy(linksOf(draft), ({ from }) => from);
  const met = new Set<string>();
  const walkFrom = (eventId: string): string[] => {
    const order: string[] = [];
    const open = (links.get(eventId) ?? []).map(({ to }) => to);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (met.has(id)) continue;
      met.add(id);
      order.push(id);
      // The last one pushed is reached next.
      open.push(...(links.get(id) ?? []).map(({ to }) => to).reverse());
    }
    return order;
  };
  const events = objectsIn(draft.events).filter(outletOfEvent);
  const starts = events.filter(({ type }) => type === "start");
  const beginnings = [...starts, ...events.filter((event) => !starts.includes(event))].map((event) => {
    const eventId = idOf(event) ?? "";
    return { eventId, groupIds: walkFrom(eventId) };
  });
  const ids = objectsIn(draft.groups).flatMap((group) => idOf(group) ?? []);
  return { beginnings, unreachable: ids.filter((id) => !met.has(id)) };
}
