import type { Box, Point } from "../../canvas/contract.ts";
import { overlaps } from "../../canvas/scene/geometry.ts";
import { boxOfRoute, piecesOf, routeOf } from "../../canvas/scene/routing.ts";
import type { Line, Node, Spot } from "./node.ts";

/** An edge as the canvas would draw it. */
export type Drawn = { readonly line: Line; readonly pieces: readonly Point[]; readonly box: Box };

/** The default vertical offsets of an edge's ends, if the rows are unknown. */
const usual = { begins: 56, ends: 20 } as const;

export function draw(line: Line, ends: readonly [Node, Node], spots: readonly [Spot, Spot]): Drawn {
  const [fromBox, toBox] = [boxOf(ends[0], spots[0]), boxOf(ends[1], spots[1])];
  const from = { x: fromBox.x + fromBox.width, y: fromBox.y + (line.y ?? Math.min(usual.begins, fromBox.height / 2)) };
  const to = { x: toBox.x, y: toBox.y + (line.into ?? usual.ends) };
  const route = routeOf({ from, to, fromBox, toBox });
  return { line, pieces: piecesOf(route), box: boxOfRoute(route) };
}

export function boxOf({ left, right, above, below, width, height }: Node, { x, y }: Spot): Box {
  // An object without a size of its own gets the bounds of all its parts.
  return {
    x: width ? x : x - left,
    y: height ? y : y - above,
    width: width ?? left + right,
    height: height ?? above + below,
  };
}

/**
 * Returns the highest and the lowest point of an edge within a horizontal span; undefined if the edge does not reach
 * the span.
 */
export function spanWithin({ pieces }: Drawn, left: number, right: number): readonly [number, number] | undefined {
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (y: number): void => {
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  for (let index = 1; index < pieces.length; index++) {
    const [a, b] = [pieces[index - 1], pieces[index]];
    if (!a || !b || Math.max(a.x, b.x) < left || Math.min(a.x, b.x) > right) continue;
    take(at(a, b, left));
    take(at(a, b, right));
  }
  return top > bottom ? undefined : [top, bottom];
}

/** Returns the y coordinate of a segment at x. Outside the segment, returns the y coordinate of the nearer end. */
function at(a: Point, b: Point, x: number): number {
  if (a.x === b.x) return x <= a.x ? a.y : b.y;
  const share = Math.max(0, Math.min(1, (x - a.x) / (b.x - a.x)));
  return a.y + (b.y - a.y) * share;
}

/** Returns the cost of a layout: edges over cards, crossing edges, and vertical detours. Lower is better. */
export function faultsOf(drawn: readonly Drawn[], cards: ReadonlyMap<string, Box>): number {
  let faults = 0;
  for (const one of drawn) {
    for (const [id, box] of cards)
      if (id !== one.line.from && id !== one.line.to && isOver(one, box)) faults += weights.over;
    faults += (one.box.height / 100) * weights.way;
  }
  for (const [index, one] of drawn.entries())
    for (const other of drawn.slice(index + 1)) if (doCross(one, other)) faults += weights.crossing;
  return faults;
}

const weights = { over: 10, crossing: 2, way: 0.01 } as const;

/** Whether an edge passes over a box. */
export function isOver(drawn: Drawn, box: Box): boolean {
  if (!overlaps(drawn.box, box)) return false;
  const span = spanWithin(drawn, box.x, box.x + box.width);
  if (!span || span[0] >= box.y + box.height || span[1] <= box.y) return false;
  return drawn.pieces.some((piece, index) => {
    const before = drawn.pieces[index - 1];
    return before !== undefined && doesPieceMeet(before, piece, box);
  });
}

function doesPieceMeet(a: Point, b: Point, box: Box): boolean {
  const [left, right] = [Math.max(box.x, Math.min(a.x, b.x)), Math.min(box.x + box.width, Math.max(a.x, b.x))];
  if (left > right) return false;
  const [one, other] = a.x === b.x ? [a.y, b.y] : [at(a, b, left), at(a, b, right)];
  return Math.max(one, other) > box.y && Math.min(one, other) < box.y + box.height;
}

/** Whether two edges cross. A shared start or end does not count as a crossing. */
export function doCross(one: Drawn, other: Drawn): boolean {
  if (!overlaps(one.box, other.box)) return false;
  const [a, b] = [one.pieces, other.pieces];
  for (let i = 1; i < a.length; i++) {
    const [p, q] = [a[i - 1], a[i]];
    for (let k = 1; p && q && k < b.length; k++) {
      const [r, s] = [b[k - 1], b[k]];
      if (r && s && doPiecesCross(p, q, r, s)) return true;
    }
  }
  return false;
}

function doPiecesCross(a: Point, b: Point, c: Point, d: Point): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

function side(a: Point, b: Point, c: Point): number {
  return Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}
