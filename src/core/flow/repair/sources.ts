import { isJsonObject, type JsonObject, textAt } from "../../interpreter/flow.ts";
import { wayOutNames } from "../../interpreter/schemas/own-keys.ts";
import type { StoredEdge } from "../document.ts";
import { type Placed, uniqueIds } from "./new-ids.ts";

/** The source of an edge, in the format of the edge's `from`. */
export type Source = {
  readonly groupId?: string | undefined;
  readonly blockId?: string | undefined;
  readonly itemId?: string | undefined;
  readonly pathId?: string | undefined;
  readonly eventId?: string | undefined;
};

/** The source of an edge with the ids in the file (`was`) and the new ids (`now`). */
export type Renamed = { readonly was: Source; readonly now: Source };

/** Returns the new id of the edge that starts at a source, given the edge's id in the file. */
export type Lead = (edgeId: string, source: Renamed) => string;

/** Replaces the edge id at the outlet of a block, item or event. */
export function withEdge<Holder extends object>(holder: Holder, source: Renamed, lead: Lead): Holder {
  const edgeId = textAt(holder, "outgoingEdgeId");
  return edgeId === undefined ? holder : { ...holder, outgoingEdgeId: lead(edgeId, source) };
}

/** Replaces the edge ids at the named outlets in a block's options. */
export function withWaysOut(options: JsonObject, source: Renamed, lead: Lead): JsonObject {
  const held = wayOutNames.flatMap((name): [string, JsonObject][] => {
    const holder = options[name];
    return isJsonObject(holder) ? [[name, withEdge(holder, source, lead)]] : [];
  });
  return held.length === 0 ? options : { ...options, ...Object.fromEntries(held) };
}

/** Replaces the edge ids at an item's own outlet and at its buttons. */
export function withItemEdges(item: JsonObject, { was, now }: Renamed, lead: Lead): JsonObject {
  const anew = withEdge(item, { was, now }, lead);
  if (!Array.isArray(anew["paths"])) return anew;
  const paths = anew["paths"].map((path: unknown) => {
    const pathId = textAt(path, "id");
    return isJsonObject(path) ? withEdge(path, { was: { ...was, pathId }, now: { ...now, pathId } }, lead) : path;
  });
  return { ...anew, paths };
}

type Held = Renamed & { isTaken: boolean };
type Queue = { readonly all: Held[]; next: number };

/** Gives each edge a unique id. The returned `lead` maps a source to the new id of its edge. */
export function renameEdges(
  edges: readonly StoredEdge[],
  /** Every source in the file with the id of its edge, in order. */
  held: readonly (Renamed & { readonly edgeId: string })[],
  /** Returns the new ids for the `from` of an edge that no source in `held` uses. */
  rename: (source: Source) => Source,
  stored: readonly StoredEdge[],
): { readonly edges: StoredEdge[]; readonly lead: Lead } {
  const waiting = new Map<string, Queue>();
  for (const { edgeId, was, now } of held) {
    const one = { was, now, isTaken: false };
    // Before version 6, the `from` of some edges also contains the group.
    for (const key of new Set([keyOf(edgeId, was), keyOf(edgeId, { ...was, groupId: undefined })])) {
      const queue = waiting.get(key);
      if (queue) queue.all.push(one);
      else waiting.set(key, { all: [one], next: 0 });
    }
  }
  const found = edges.map((edge) => takeFirst(waiting, keyOf(edge.id, sourceOf(edge))));
  const anew = edges.map((edge, index) => withSource(edge, found[index]?.now ?? rename(sourceOf(edge))));
  const ids = uniqueIds(placed(anew), placed(stored));
  const bySource = new Map<string, string>();
  const first = new Map<string, string>();
  for (const [index, { id }] of edges.entries()) {
    const own = ids[index] ?? id;
    const source = found[index];
    const key = source && keyOf(id, source.now);
    if (key !== undefined && !bySource.has(key)) bySource.set(key, own);
    if (!first.has(id)) first.set(id, own);
  }
  return {
    edges: anew.map((edge, index) => ({ ...edge, id: ids[index] ?? edge.id })),
    lead: (edgeId, { now }) => bySource.get(keyOf(edgeId, now)) ?? first.get(edgeId) ?? edgeId,
  };
}

/** Returns the next source with this key that has no edge yet, if any. Several equal sources thus get one edge each. */
function takeFirst(waiting: ReadonlyMap<string, Queue>, key: string): Held | undefined {
  const queue = waiting.get(key);
  while (queue) {
    const one = queue.all[queue.next++];
    if (one?.isTaken) continue;
    if (one) one.isTaken = true;
    return one;
  }
  return undefined;
}

function placed(edges: readonly StoredEdge[]): Placed[] {
  return edges.map((edge, index) => ({ id: edge.id, places: [keyOf("", sourceOf(edge)), String(index)] }));
}

function sourceOf({ from }: StoredEdge): Source {
  const at = (key: string) => textAt(from, key);
  return {
    ...{ groupId: at("groupId"), blockId: at("blockId"), itemId: at("itemId"), pathId: at("pathId") },
    eventId: at("eventId"),
  };
}

function keyOf(edgeId: string, { groupId, blockId, itemId, pathId, eventId }: Source): string {
  // U+0000 is a safe separator because stored texts never contain it.
  return `${edgeId}\0${groupId}\0${blockId}\0${itemId}\0${pathId}\0${eventId}`;
}

/** Replaces the ids in an edge's `from`. An edge without `from` is not changed. */
function withSource(edge: StoredEdge, names: Source): StoredEdge {
  const { from } = edge;
  if (!from) return edge;
  const given = Object.entries(names).filter(([key, name]) => name !== undefined && textAt(from, key) !== undefined);
  return { ...edge, from: { ...from, ...Object.fromEntries(given) } };
}
