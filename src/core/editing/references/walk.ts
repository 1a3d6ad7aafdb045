import { type FlowDocument, type FlowGroup, isStart } from "../../interpreter/flow.ts";
import { idOf, objectsIn } from "../changes/things.ts";
import { linksOf } from "./reach.ts";

/**
 * The order in which a flow is traversed: each event with the groups first reached from it, followed by unreachable
 * groups.
 */
export type Walk = {
  readonly beginnings: readonly { readonly eventId: string; readonly groupIds: readonly string[] }[];
  readonly unreachable: readonly string[];
};

type Walked = Pick<FlowDocument, "groups" | "edges" | "events">;

/**
 * Returns the groups that can be reached from each event, in the order in which their blocks lead to them, and the
 * unreachable groups.
 */
export function walkOf(flow: Walked): Walk {
  const walkFrom = createWalk(flow);
  const beginnings = eventIdsOf(flow).map((eventId) => ({ eventId, groupIds: walkFrom(eventId) }));
  const met = new Set(beginnings.flatMap(({ groupIds }) => groupIds));
  const ids = objectsIn(flow.groups).flatMap((group) => idOf(group) ?? []);
  return { beginnings, unreachable: ids.filter((id) => !met.has(id)) };
}

/**
 * Returns the groups of a flow of any version in traversal order. Unreachable groups come last, in their stored order.
 */
export function inWalkingOrder<Group extends FlowGroup>(
  flow: Omit<Walked, "groups"> & { readonly groups: readonly Group[] },
): readonly Group[] {
  const walkFrom = createWalk(flow);
  // Flows of versions 3 to 5 start at a block instead of an event.
  const first = flow.groups.find(({ blocks }) => blocks?.some(isStart));
  const ids = [...(first ? [first.id, ...walkFrom(first.id)] : []), ...eventIdsOf(flow).flatMap(walkFrom)];
  const ranks = new Map([...new Set(ids)].map((id, index) => [id, index]));
  const rankOf = ({ id }: Group) => ranks.get(id) ?? ranks.size;
  return flow.groups.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Returns the ids of events, starting with the start event. */
function eventIdsOf({ events }: Walked): string[] {
  const all = objectsIn(events).flatMap((event) => {
    const id = idOf(event);
    return id === undefined ? [] : [{ id, rank: event["type"] === "start" ? 0 : 1 }];
  });
  return all.toSorted((one, other) => one.rank - other.rank).map(({ id }) => id);
}

/** Returns a function that continues the traversal from a card and returns the newly reached groups. */
function createWalk(flow: Walked): (cardId: string) => string[] {
  const links = Map.groupBy(linksOf(flow), ({ from }) => from);
  const met = new Set<string>();
  return (cardId) => {
    const order: string[] = [];
    const open = (links.get(cardId) ?? []).map(({ to }) => to);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (met.has(id)) continue;
      met.add(id);
      order.push(id);
      // The targets are pushed in reverse order because the last card pushed is visited next.
      open.push(...(links.get(id) ?? []).map(({ to }) => to).reverse());
    }
    return order;
  };
}
