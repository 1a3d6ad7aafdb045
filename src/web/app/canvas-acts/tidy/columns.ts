import dagre from "@dagrejs/dagre";
import type { Link } from "../../editor/reach.ts";

/** Something that is laid out: how far it reaches from its corner, the one by which it is lined up with others. */
export type Node = {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
};
export type Spot = { readonly x: number; readonly y: number };
/** A line, and how far below the upper edge of its card it begins. */
export type Line = Link & { readonly y?: number };

/** Between columns, and between cards of one. */
export const gaps = { across: 128, down: 48 } as const;
const grid = 8;

/**
 * Lays out what hangs together, from left to right. Dagre says what comes after what, in which column, and in which order there. Heights are our
 * own: it lines up middles, and cards whose upper edges are in one row read better.
 */
export function layOutColumns(nodes: readonly Node[], links: readonly Line[]): ReadonlyMap<string, Spot> {
  const [only] = nodes;
  if (only && nodes.length === 1) return new Map([[only.id, { x: 0, y: 0 }]]);
  const columns = uncrossed(columnsOf(nodes, links), links);
  const spots = new Map<string, Spot>();
  const before = Map.groupBy(links, ({ to }) => to);
  const rank = new Map(columns.flatMap((column, index) => column.map(({ id }) => [id, index] as const)));
  let x = 0;
  for (const [index, column] of columns.entries()) {
    if (index > 0) x += Math.max(...column.map(({ left }) => left));
    const lanes = links.flatMap((line) => laneAt(index, line, { rank, spots, before }) ?? []);
    let bottom = Number.NEGATIVE_INFINITY;
    for (const node of column) {
      const wanted = rowOf(before.get(node.id) ?? [], spots);
      const y = clearOf(lanes, node, snapped(Math.max(wanted, bottom + gaps.down + node.above)));
      spots.set(node.id, { x: snapped(x), y });
      bottom = y + node.below;
    }
    x = snapped(x) + Math.max(...column.map(({ right }) => right)) + gaps.across;
  }
  return lowerBeginnings(columns, links, spots);
}

/** The row of the uppermost of those that lead here from the left; the first one where there is none. */
function rowOf(links: readonly Line[], spots: ReadonlyMap<string, Spot>): number {
  const rows = links.flatMap(({ from }) => spots.get(from)?.y ?? []);
  return rows.length === 0 ? 0 : Math.min(...rows);
}

type Lane = { readonly from: number; readonly to: number };
type Placing = {
  readonly rank: ReadonlyMap<string, number>;
  readonly spots: ReadonlyMap<string, Spot>;
  readonly before: ReadonlyMap<string, readonly Line[]>;
};

/** Of a line that passes a column, what it needs there. A steep one crosses cards wherever these stand. */
function laneAt(
  column: number,
  { from, to, y = port.usual }: Line,
  { rank, spots, before }: Placing,
): Lane | undefined {
  const [first, last, spot] = [rank.get(from), rank.get(to), spots.get(from)];
  if (first === undefined || last === undefined || !spot || column <= first || column >= last) return undefined;
  const begins = spot.y + Math.min(y, port.most);
  const ends = rowOf(before.get(to) ?? [], spots) + port.title;
  const at = (share: number): number => begins + (ends - begins) * share * share * (3 - 2 * share);
  const middle = (column - first) / (last - first);
  const [one, other] = [at(middle - 0.4 / (last - first)), at(middle + 0.4 / (last - first))];
  const lane = { from: Math.min(one, other) - port.clear, to: Math.max(one, other) + port.clear };
  return lane.to - lane.from > port.steep ? undefined : lane;
}

/** Where lines begin on cards and where they end, and how near cards may come to them. */
const port = { usual: 56, most: 240, title: 20, clear: 20, steep: 260 } as const;

function clearOf(lanes: readonly Lane[], { above, below }: Node, wanted: number): number {
  let y = wanted;
  for (const lane of [...lanes].sort((one, other) => one.from - other.from))
    if (lane.from < y + below && lane.to > y - above) y = snapped(lane.to + above);
  return y;
}

/** What nothing leads to from the left comes down to the row of what it leads to, as far as there is room below. */
function lowerBeginnings(
  columns: readonly (readonly Node[])[],
  links: readonly Line[],
  spots: Map<string, Spot>,
): ReadonlyMap<string, Spot> {
  const next = Map.groupBy(links, ({ from }) => from);
  const led = new Set(
    links.flatMap(({ from, to }) => ((spots.get(from)?.x ?? 0) < (spots.get(to)?.x ?? 0) ? [to] : [])),
  );
  for (const column of columns) {
    let room = Number.POSITIVE_INFINITY;
    for (const node of [...column].reverse()) {
      const spot = spots.get(node.id) ?? { x: 0, y: 0 };
      const rows = (next.get(node.id) ?? []).flatMap(({ to }) => {
        const target = spots.get(to);
        return target && target.x > spot.x ? [target.y] : [];
      });
      const wanted = led.has(node.id) || rows.length === 0 ? spot.y : Math.min(...rows);
      const y = Math.max(spot.y, Math.min(wanted, Math.floor((room - node.below) / grid) * grid));
      spots.set(node.id, { ...spot, y });
      room = y - node.above - gaps.down;
    }
  }
  return spots;
}

function columnsOf(nodes: readonly Node[], links: readonly Line[]): readonly (readonly Node[])[] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", ranksep: gaps.across, nodesep: gaps.down, ranker: "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, left, right, above, below } of nodes)
    graph.setNode(id, { width: left + right, height: above + below });
  // Where nothing else decides, what a card leads to stands in the order of its rows.
  const ordered = [...links].sort((one, other) => (one.y ?? 0) - (other.y ?? 0));
  for (const { from, to } of ordered) if (from !== to && byId.has(from) && byId.has(to)) graph.setEdge(from, to);
  dagre.layout(graph);
  const placed = nodes.map((node) => ({ node, at: graph.node(node.id) }));
  // One column has one middle, whatever the widths in it.
  const columns = Map.groupBy(placed, ({ at }) => Math.round(at.x));
  return [...columns.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, column]) => column.sort((one, other) => one.at.y - other.at.y).map(({ node }) => node));
}

/** Turns neighbours of a column round where fewer lines cross then. Dagre knows no rows that lines begin at, so it leaves some. */
function uncrossed(columns: readonly (readonly Node[])[], links: readonly Line[]): readonly (readonly Node[])[] {
  const made = columns.map((column) => [...column]);
  const place = new Map<string, number>();
  for (const column of made) for (const [index, { id }] of column.entries()) place.set(id, index);
  const rank = new Map(made.flatMap((column, index) => column.map(({ id }) => [id, index] as const)));
  const forward = links.filter(({ from, to }) => (rank.get(from) ?? 0) < (rank.get(to) ?? 0));
  const [into, out] = [Map.groupBy(forward, ({ to }) => to), Map.groupBy(forward, ({ from }) => from)];
  // A line that passes columns runs above what stands in its row there.
  const placeOf = ({ from, to }: Line): number =>
    (place.get(from) ?? 0) - ((rank.get(to) ?? 0) - (rank.get(from) ?? 0) > 1 ? 0.5 : 0);
  /** How many lines of these two cross with the first one above; those that begin at one card by the rows they begin at. */
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

/** Each pass takes crossings away, most of them the first. */
const passes = 8;

function snapped(value: number): number {
  return Math.ceil(value / grid) * grid;
}
