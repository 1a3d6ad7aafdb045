import type { DraftDocument } from "../changes/change.ts";
import { idOf, objectsIn } from "../changes/things.ts";
import { outletOfEvent, outletsOfBlock } from "./outlets.ts";

/** A link between two cards of the canvas. `from` is the id of an event or group, `to` the id of a group. */
export type Link = { readonly from: string; readonly to: string };

/** Returns the links between cards, in the order of the cards and of their rows. */
export function linksOf(draft: Pick<DraftDocument, "groups" | "edges" | "events">): readonly Link[] {
  const groupOfBlock = new Map<string, string>();
  const groups = objectsIn(draft.groups);
  for (const group of groups)
    for (const block of objectsIn(group["blocks"])) groupOfBlock.set(idOf(block) ?? "", idOf(group) ?? "");
  const known = new Set(groups.map(idOf));
  const targets = new Map<string, string>();
  for (const { id, to } of draft.edges) {
    const groupId = to?.groupId ?? (typeof to?.blockId === "string" ? groupOfBlock.get(to.blockId) : undefined);
    if (typeof groupId === "string" && known.has(groupId)) targets.set(id, groupId);
  }
  const links: Link[] = [];
  const add = (from: string, to: string | undefined): void => {
    if (to !== undefined) links.push({ from, to });
  };
  for (const event of objectsIn(draft.events)) add(idOf(event) ?? "", targets.get(outletOfEvent(event)?.edgeId ?? ""));
  for (const group of groups) {
    const from = idOf(group) ?? "";
    for (const block of objectsIn(group["blocks"])) {
      for (const { edgeId } of outletsOfBlock(block)) add(from, targets.get(edgeId ?? ""));
      for (const id of groupsNamedBy(block)) if (known.has(id)) add(from, id);
    }
  }
  return links;
}

// The cache is valid because a change replaces a block with a new object.
const namedBy = new WeakMap<object, readonly string[]>();

/**
 * Returns the groups that any part of a block refers to. `referencesIn` would also search all texts, which takes ten
 * times as long.
 */
function groupsNamedBy(block: object): readonly string[] {
  const known = namedBy.get(block);
  if (known) return known;
  const found = groupsIn(block);
  namedBy.set(block, found);
  return found;
}

function groupsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "groupId" && typeof inner === "string" ? [inner] : groupsIn(inner),
  );
}

/** Returns the given cards and every card that can be reached from them. */
export function after(draft: DraftDocument, ids: Iterable<string>): ReadonlySet<string> {
  return reach(
    Map.groupBy(linksOf(draft), ({ from }) => from),
    ids,
  );
}

/** Returns the given cards and every card that is connected with them in either direction. */
export function connected(draft: DraftDocument, ids: Iterable<string>): ReadonlySet<string> {
  const both = linksOf(draft).flatMap(({ from, to }) => [
    { from, to },
    { from: to, to: from },
  ]);
  return reach(
    Map.groupBy(both, ({ from }) => from),
    ids,
  );
}

function reach(links: ReadonlyMap<string, readonly Link[]>, ids: Iterable<string>): ReadonlySet<string> {
  const met = new Set(ids);
  // The loop also visits cards that are added to the set during the iteration.
  for (const id of met) for (const { to } of links.get(id) ?? []) met.add(to);
  return met;
}
