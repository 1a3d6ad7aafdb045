import dagre from "@dagrejs/dagre";
import { gaps, type Line, type Node } from "./node.ts";

/** Cards in columns from left to right, each column from top to bottom. */
export type Columns = readonly (readonly Node[])[];

/**
 * Returns three orders to compare:
 * - the order of a walk that follows the rows of each card
 * - the order of this walk, with neighbours swapped to reduce crossings
 * - the order of dagre, with neighbours swapped to reduce crossings
 */
export function ordersOf(nodes: readonly Node[], links: readonly Line[]): readonly Columns[] {
  const columns = ranked(nodes, links);
  const place = walkPlaces(nodes, links);
  const walked = columns.map((column) =>
    [...column].sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0)),
  );
  return [walked, uncrossed(walked, links), uncrossed(columns, links)];
}

/** Returns the order of dagre, which chooses the column of each card and its position in the column. */
function ranked(nodes: readonly Node[], links: readonly Line[]): Columns {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", ranksep: gaps.across, nodesep: gaps.down, ranker: "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, left, right, above, below } of nodes)
    graph.setNode(id, { width: left + right, height: above + below });
  // Edges are added in the order of their rows, which decides ties between the targets of a card.
  const ordered = [...links].sort((one, other) => (one.y ?? 0) - (other.y ?? 0));
  for (const { from, to } of ordered) if (from !== to && byId.has(from) && byId.has(to)) graph.setEdge(from, to);
  dagre.layout(graph);
  const placed = nodes.map((node) => ({ node, at: graph.node(node.id) }));
  // The cards of a column have the same middle, even if their widths differ.
  const columns = Map.groupBy(placed, ({ at }) => Math.round(at.x));
  return [...columns.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, column]) => column.sort((one, other) => one.at.y - other.at.y).map(({ node }) => node));
}

/** Returns the order in which a walk first reaches each card. The walk follows the uppermost row first. */
function walkPlaces(nodes: readonly Node[], links: readonly Line[]): ReadonlyMap<string, number> {
  const next = Map.groupBy(
    [...links].sort((one, other) => (one.y ?? 0) - (other.y ?? 0)),
    ({ from }) => from,
  );
  const places = new Map<string, number>();
  for (const { id } of nodes) {
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (places.has(at)) continue;
      places.set(at, places.size);
      for (const { to } of [...(next.get(at) ?? [])].reverse()) open.push(to);
    }
  }
  return places;
}

/**
 * Swaps neighbours of a column where this reduces crossings. Dagre leaves some crossings, because it does not consider
 * the rows at which edges begin.
 */
function uncrossed(columns: Columns, links: readonly Line[]): Columns {
  const made = columns.map((column) => [...column]);
  const place = new Map<string, number>();
  for (const column of made) for (const [index, { id }] of column.entries()) place.set(id, index);
  const rank = new Map(made.flatMap((column, index) => column.map(({ id }) => [id, index] as const)));
  const forward = links.filter(({ from, to }) => (rank.get(from) ?? 0) < (rank.get(to) ?? 0));
  const [into, out] = [Map.groupBy(forward, ({ to }) => to), Map.groupBy(forward, ({ from }) => from)];
  // An edge that spans several columns runs above the cards of its row.
  const placeOf = ({ from, to }: Line): number =>
    (place.get(from) ?? 0) - ((rank.get(to) ?? 0) - (rank.get(from) ?? 0) > 1 ? 0.5 : 0);
  /**
   * Counts the crossings between the edges of two cards when the first card is above the second. Edges of the same card
   * are ordered by their rows.
   */
  const crossings = (upper: string, lower: string): number => {
    let count = 0;
    for (const a of into.get(upper) ?? [])
      for (const b of into.get(lower) ?? [])
        if (a.from === b.from ? (a.y ?? 0) > (b.y ?? 0) : placeOf(a) > placeOf(b)) count++;
    for (const a of out.get(upper) ?? [])
      for (const b of out.get(lower) ?? []) if ((place.get(a.to) ?? 0) > (place.get(b.to) ?? 0)) count++;
    return count;
  };
  for (let pass = 0; pass < passes; pass++) {
    let isBetter = false;
    for (const column of made) {
      for (let index = 1; index < column.length; index++) {
        const [upper, lower] = [column[index - 1], column[index]];
        if (!upper || !lower || crossings(upper.id, lower.id) <= crossings(lower.id, upper.id)) continue;
        column.splice(index - 1, 2, lower, upper);
        place.set(lower.id, index - 1);
        place.set(upper.id, index);
        isBetter = true;
      }
    }
    if (!isBetter) break;
  }
  return made;
}

/** The number of passes. The first pass removes most crossings. */
const passes = 8;
