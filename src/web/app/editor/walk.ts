import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { entriesOf, idOf } from "../../../core/editing/changes/things.ts";
import { outletOfEvent, outletsOfBlock } from "../../../core/editing/references/outlets.ts";
import { referencesIn } from "../../../core/editing/references/references.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";

/** The order in which a flow is walked: its events, each with the groups that are first reached from there; then the unreachable groups. */
export type Walk = {
  readonly beginnings: readonly { readonly eventId: string; readonly groupIds: readonly string[] }[];
  readonly unreachable: readonly string[];
};

/** Groups in walking order: the one that is reached first, block by block, comes first. */
export function walkOf(draft: DraftDocument): Walk {
  const groups = new Map<string, JsonObject>();
  const groupOfBlock = new Map<string, string>();
  for (const group of entriesOf(draft.groups)) {
    const id = idOf(group);
    if (id === undefined || !isJsonObject(group)) continue;
    groups.set(id, group);
    for (const block of entriesOf(group["blocks"])) groupOfBlock.set(idOf(block) ?? "", id);
  }
  const targets = new Map<string, string | undefined>();
  for (const { id, to } of draft.edges) {
    targets.set(
      id,
      to?.groupId ?? (typeof to?.blockId === "string" ? groupOfBlock.get(to.blockId) : undefined) ?? undefined,
    );
  }
  const met = new Set<string>();
  const walkFrom = (first: string | undefined): string[] => {
    const order: string[] = [];
    const open = first === undefined ? [] : [first];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const group = groups.get(id);
      if (!group || met.has(id)) continue;
      met.add(id);
      order.push(id);
      // The last one pushed is reached next.
      open.push(...nextOf(group, targets).reverse());
    }
    return order;
  };
  const events = entriesOf(draft.events).filter(isJsonObject);
  const sorted = [...events.filter(isStart), ...events.filter((event) => !isStart(event))];
  const beginnings = sorted.flatMap((event) => {
    const outlet = outletOfEvent(event);
    if (!outlet) return [];
    const eventId = idOf(event) ?? "";
    return [{ eventId, groupIds: walkFrom(outlet.edgeId === undefined ? undefined : targets.get(outlet.edgeId)) }];
  });
  return { beginnings, unreachable: [...groups.keys()].filter((id) => !met.has(id)) };
}

function nextOf(group: JsonObject, targets: ReadonlyMap<string, string | undefined>): string[] {
  const next: string[] = [];
  for (const block of entriesOf(group["blocks"])) {
    if (!isJsonObject(block)) continue;
    for (const { edgeId } of outletsOfBlock(block)) {
      const target = edgeId === undefined ? undefined : targets.get(edgeId);
      if (target !== undefined) next.push(target);
    }
    for (const { to, value, how } of referencesIn(block)) if (to === "group" && how === "goes") next.push(value);
  }
  return next;
}

function isStart({ type }: JsonObject): boolean {
  return type === "start";
}
