import { around, type Box, holds, overlaps, type Point, type Size } from "../../editor/commands/arrange.ts";
import type { Placed } from "../../editor/commands/places.ts";
import { layOutColumns } from "./columns.ts";
import { gaps, type Line, type Node, snapped } from "./node.ts";

/** The gap between unconnected parts of a flow. */
const gap = 96;
/** The aspect ratio of a typical screen. */
const shape = 1.6;

/**
 * Places unconnected parts side by side in rows, so that the whole has about the shape of a screen. A row is at least
 * as wide as the widest part.
 */
function inShelves(parts: readonly Size[]): readonly Point[] {
  const area = parts.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const most = Math.max(Math.sqrt(area * shape), ...parts.map(({ width }) => width));
  let [x, y, bottom] = [0, 0, 0];
  return parts.map(({ width, height }) => {
    if (x > 0 && x + width > most) [x, y] = [0, snapped(bottom + gap)];
    const corner = { x, y };
    x = snapped(x + width + gap);
    bottom = Math.max(bottom, y + height);
    return corner;
  });
}

/** The input of a layout: the cards, frames and notes with their current positions. */
export type Arrangement = {
  /** The boxes in the order in which a walk from the start of the flow visits them. */
  readonly boxes: readonly Box[];
  readonly links: readonly Line[];
  /** Parts that are not moved. Other parts are placed clear of them. */
  readonly fixed: readonly (Point & Size)[];
};

/** The greatest distance between a card and a note that belongs to the card. */
const noteReach = 120;
const noteGap = 24;
const frameInset = { side: 32, top: 64 } as const;
/** The number of unconnected cards in a row. */
const looseInRow = 5;

/**
 * Computes positions so that the flow reads from left to right and nothing overlaps. A frame is laid out by itself and
 * then treated as one card. A note moves with the card beside it. The first card keeps its position, unless fixed parts
 * are in the way.
 */
export function layOut({ boxes, links, fixed }: Arrangement): readonly Placed[] {
  const [first] = boxes;
  if (!first) return [];
  const tree = treeOf(boxes);
  const made = layOutIn(tree.top, tree, links);
  const anchor = made.get(first.id) ?? { x: 0, y: 0 };
  const by = { x: first.x - anchor.x, y: first.y - anchor.y };
  const clear = downTo(
    boxes.flatMap((box) => {
      const at = made.get(box.id);
      return at ? [{ x: at.x + by.x, y: at.y + by.y, width: at.width, height: at.height }] : [];
    }),
    fixed,
  );
  return boxes.flatMap(({ kind, id }): Placed[] => {
    const at = made.get(id);
    if (!at) return [];
    const { width, height } = at;
    const place = { kind, id, x: at.x + by.x, y: at.y + by.y + clear };
    return [kind === "frame" ? { ...place, width, height } : place];
  });
}

type Rectangle = Point & Size;

/** The boxes outside all frames, the contents of each frame, and the notes beside each card. */
type Tree = {
  readonly top: readonly Box[];
  readonly inside: ReadonlyMap<string, readonly Box[]>;
  readonly notes: ReadonlyMap<string, readonly Box[]>;
};

function treeOf(boxes: readonly Box[]): Tree {
  const frames = boxes.filter(({ kind }) => kind === "frame").sort((a, b) => a.width * a.height - b.width * b.height);
  const cards = boxes.filter(({ kind }) => kind === "group" || kind === "event");
  const top: Box[] = [];
  const inside = new Map<string, Box[]>();
  const notes = new Map<string, Box[]>();
  for (const box of boxes) {
    const size = box.width * box.height;
    const frame = frames.find((one) => one.id !== box.id && one.width * one.height > size && holds(one, box));
    const card = box.kind === "note" ? nearest(box, cards) : undefined;
    if (card) listIn(notes, card.id).push(box);
    else if (frame) listIn(inside, frame.id).push(box);
    else top.push(box);
  }
  return { top, inside, notes };
}

/** Returns the position of every box, by id, relative to a common corner. */
function layOutIn(boxes: readonly Box[], tree: Tree, links: readonly Line[]): ReadonlyMap<string, Rectangle> {
  const clusters = boxes.map((box) => clusterOf(box, tree, links));
  const ownerOf = new Map(clusters.flatMap(({ id, parts }) => [...parts.keys()].map((part) => [part, id] as const)));
  const joined = links.flatMap(({ from, to, y, into, isUnseen = false }): Line[] => {
    const [a, b] = [ownerOf.get(from), ownerOf.get(to)];
    if (a === undefined || b === undefined || a === b) return [];
    return [{ from: a, to: b, ...(a === from && { y }), ...(b === to && { into }), isUnseen }];
  });
  const { parts, loose } = partsOf(clusters, joined);
  const laid = parts.map((part) => cornered(part, layOutColumns(part, joined)));
  if (loose.length > 0) laid.push(cornered(loose, inRows(loose)));
  const corners = inShelves(laid);
  return new Map(
    laid.flatMap(({ boxes: inner }, index) => {
      const { x, y } = corners[index] ?? { x: 0, y: 0 };
      return [...inner].map(([id, box]) => [id, { ...box, x: box.x + x, y: box.y + y }] as const);
    }),
  );
}

/** A connected part, with the positions of its boxes relative to the upper left corner of the part. */
type Part = Size & { readonly boxes: ReadonlyMap<string, Rectangle> };

function cornered(part: readonly Cluster[], spots: ReadonlyMap<string, Point>): Part {
  const all = part.flatMap(({ id, parts }) => {
    const { x, y } = spots.get(id) ?? { x: 0, y: 0 };
    return [...parts].map(([inner, box]) => [inner, { ...box, x: box.x + x, y: box.y + y }] as const);
  });
  const { x, y, width, height } = around(all.map(([, box]) => box));
  return {
    ...{ width, height },
    boxes: new Map(all.map(([id, box]) => [id, { ...box, x: box.x - x, y: box.y - y }])),
  };
}

/**
 * A card with the notes beside it, or a frame with its contents. The positions in `parts` are relative to the corner
 * that is used for alignment.
 */
type Cluster = Node & { readonly parts: ReadonlyMap<string, Rectangle> };

function clusterOf(box: Box, tree: Tree, links: readonly Line[]): Cluster {
  const own = { x: 0, y: 0, width: box.width, height: box.height };
  const parts = new Map<string, Rectangle>([[box.id, own]]);
  if (box.kind === "frame") {
    const inner = layOutIn(tree.inside.get(box.id) ?? [], tree, links);
    const bounds = around([...inner.values()]);
    for (const [id, part] of inner)
      parts.set(id, { ...part, x: part.x - bounds.x + frameInset.side, y: part.y - bounds.y + frameInset.top });
    if (inner.size > 0)
      parts.set(box.id, {
        x: 0,
        y: 0,
        width: bounds.width + 2 * frameInset.side,
        height: bounds.height + frameInset.top + frameInset.side,
      });
  }
  for (const note of tree.notes.get(box.id) ?? []) parts.set(note.id, besides(note, box, [...parts.values()]));
  const all = around([...parts.values()]);
  return {
    id: box.id,
    parts,
    ...(box.kind !== "frame" && { width: box.width, height: box.height }),
    left: -all.x,
    right: all.x + all.width,
    above: -all.y,
    below: all.y + all.height,
  };
}

/**
 * Returns the position of a note relative to its card. A note that would overlap another part is placed above all
 * parts.
 */
function besides(note: Box, card: Box, parts: readonly Rectangle[]): Rectangle {
  const kept = { x: note.x - card.x, y: note.y - card.y, width: note.width, height: note.height };
  if (!parts.some((part) => overlaps(kept, part, noteGap / 3))) return kept;
  const all = around(parts);
  return { ...kept, x: all.x, y: all.y - note.height - noteGap };
}

/**
 * Returns the connected parts in the order of their first cards. Single cards after the first part are returned
 * separately.
 */
function partsOf(clusters: readonly Cluster[], links: readonly Line[]) {
  const near = Map.groupBy(
    links.flatMap(({ from, to }) => [
      { from, to },
      { from: to, to: from },
    ]),
    ({ from }) => from,
  );
  const byId = new Map(clusters.map((cluster) => [cluster.id, cluster]));
  const met = new Set<string>();
  const parts: Cluster[][] = [];
  const loose: Cluster[] = [];
  for (const cluster of clusters) {
    if (met.has(cluster.id)) continue;
    const ids = new Set([cluster.id]);
    for (const id of ids) for (const { to } of near.get(id) ?? []) ids.add(to);
    for (const id of ids) met.add(id);
    // Keeps the order of the clusters, so that the first cluster stays first if nothing else decides.
    if (ids.size === 1 && parts.length > 0) loose.push(cluster);
    else parts.push([...byId.values()].filter(({ id }) => ids.has(id)));
  }
  return { parts, loose };
}

function inRows(loose: readonly Cluster[]): ReadonlyMap<string, Point> {
  const spots = new Map<string, Point>();
  let y = 0;
  for (let start = 0; start < loose.length; start += looseInRow) {
    const row = loose.slice(start, start + looseInRow);
    const line = y + Math.max(...row.map(({ above }) => above));
    let x = 0;
    for (const { id, left, right } of row) {
      spots.set(id, { x: x + left, y: line });
      x += left + right + gaps.down;
    }
    y = Math.ceil((line + Math.max(...row.map(({ below }) => below)) + gaps.down) / 8) * 8;
  }
  return spots;
}

function nearest(note: Rectangle, cards: readonly Box[]): Box | undefined {
  let best: { readonly card: Box; readonly distance: number } | undefined;
  for (const card of cards) {
    const across = Math.max(0, card.x - (note.x + note.width), note.x - (card.x + card.width));
    const down = Math.max(0, card.y - (note.y + note.height), note.y - (card.y + card.height));
    const distance = Math.max(across, down);
    if (distance <= noteReach && (!best || distance < best.distance)) best = { card, distance };
  }
  return best?.card;
}

/** Returns the distance by which the layout must move down to be clear of the fixed parts. */
function downTo(made: readonly Rectangle[], fixed: readonly Rectangle[]): number {
  let by = 0;
  for (let step = 0; step < mostSteps; step++) {
    const ways = fixed.flatMap((one) =>
      made
        .map((box) => ({ ...box, y: box.y + by }))
        .filter((box) => overlaps(box, one, noteGap))
        .map((box) => one.y + one.height + gaps.down - box.y),
    );
    if (ways.length === 0) return by;
    by = Math.ceil((by + Math.max(...ways)) / 8) * 8;
  }
  const [all, others] = [around(made), around(fixed)];
  return others.y + others.height + gaps.down - all.y;
}

/**
 * The number of attempts to move the layout clear of the fixed parts. After that, the layout is placed below all of
 * them.
 */
const mostSteps = 50;

function listIn<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
