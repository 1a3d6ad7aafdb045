import type { Box, Point } from "../contract.ts";

/** A guide that shows the alignment of a dragged card. */
export type Line = { readonly axis: "x" | "y"; readonly at: number; readonly from: number; readonly to: number };
export type Snapped = { readonly by: Point; readonly lines: readonly Line[] };

/**
 * Returns the snapped movement of a dragged box. The box snaps to sides or middles of nearby boxes, otherwise to the
 * grid. The parameter `by` is the dragged distance; the `by` of the result is the snapped distance.
 */
export function snap(
  box: Box,
  by: Point,
  { others, reach, grid }: { readonly others: readonly Box[]; readonly reach: number; readonly grid: number },
): Snapped {
  const x = nearestLine("x", box, by, others, reach);
  const y = nearestLine("y", box, by, others, reach);
  const to = (value: number, corner: number): number =>
    grid === 0 ? value : Math.round((corner + value) / grid) * grid - corner;
  const moved = { x: x?.by ?? to(by.x, box.x), y: y?.by ?? to(by.y, box.y) };
  const at = { ...box, x: box.x + moved.x, y: box.y + moved.y };
  return { by: moved, lines: [...(x ? [lineOf("x", x, at)] : []), ...(y ? [lineOf("y", y, at)] : [])] };
}

type Near = { readonly by: number; readonly at: number; readonly other: Box };

/**
 * Compares starts only with starts, middles with middles, and ends with ends. Otherwise, a card would snap to every
 * side that happens to be near.
 */
function nearestLine(axis: "x" | "y", box: Box, by: Point, others: readonly Box[], reach: number): Near | undefined {
  let nearest: Near | undefined;
  let least = reach;
  const own = placesOf(axis, box);
  for (const other of others) {
    const theirs = placesOf(axis, other);
    for (const [kind, place] of own.entries()) {
      const at = theirs[kind];
      if (at === undefined) continue;
      const distance = Math.abs(place + by[axis] - at);
      if (distance >= least) continue;
      least = distance;
      nearest = { by: at - place, at, other };
    }
  }
  return nearest;
}

/** Returns the start, the middle and the end of the box on an axis. */
function placesOf(axis: "x" | "y", { x, y, width, height }: Box): readonly [number, number, number] {
  return axis === "x" ? [x, x + width / 2, x + width] : [y, y + height / 2, y + height];
}

function lineOf(axis: "x" | "y", { at, other }: Near, box: Box): Line {
  const [one, two] =
    axis === "x"
      ? [spanOf(box.y, box.height), spanOf(other.y, other.height)]
      : [spanOf(box.x, box.width), spanOf(other.x, other.width)];
  return { axis, at, from: Math.min(one[0], two[0]), to: Math.max(one[1], two[1]) };
}

function spanOf(start: number, length: number): readonly [number, number] {
  return [start, start + length];
}
