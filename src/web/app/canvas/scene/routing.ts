import type { Box, Point, Route } from "../contract.ts";

/** The length of the straight part at the end of an edge, and the radius of its corners. */
const lead = 24;
const corner = 12;

export type RouteEnds = {
  readonly from: Point;
  readonly to: Point;
  /** The cards at both ends. A backward edge runs around the cards. */
  readonly fromBox: Box;
  readonly toBox: Box;
};

/**
 * Returns the route of an edge, which leaves a card at the right and enters a card from the left. A forward edge is one
 * curve. A backward edge runs in straight lanes between the cards if there is room, and otherwise above or below both
 * cards, on the shorter side. An edge to its own card runs around the card.
 */
export function routeOf({ from, to, fromBox, toBox }: RouteEnds): Route {
  if (to.x - from.x >= lead) return curve(from, to);
  const [out, into] = [from.x + lead, to.x - lead];
  const between = gapBetween(fromBox, toBox);
  const lane = between ?? around({ from, to, fromBox, toBox });
  return {
    kind: "lanes",
    points: [from, { x: out, y: from.y }, { x: out, y: lane }, { x: into, y: lane }, { x: into, y: to.y }, to],
  };
}

/** Returns the route of an edge whose target was removed. */
export function stubOf(from: Point): Route {
  return { kind: "lanes", points: [from, { x: from.x + 32, y: from.y }] };
}

function curve(from: Point, to: Point): Route {
  const across = to.x - from.x;
  const bend = Math.min(Math.max(across * 0.5, lead), 120 + Math.abs(to.y - from.y) * 0.15);
  return { kind: "curve", points: [from, { x: from.x + bend, y: from.y }, { x: to.x - bend, y: to.y }, to] };
}

/** Returns the middle of the vertical gap between two cards; undefined if the gap is too small for an edge. */
function gapBetween(one: Box, other: Box): number | undefined {
  const [upper, lower] = one.y <= other.y ? [one, other] : [other, one];
  const gap = lower.y - (upper.y + upper.height);
  return gap >= lead ? upper.y + upper.height + gap / 2 : undefined;
}

function around({ from, to, fromBox, toBox }: RouteEnds): number {
  const above = Math.min(fromBox.y, toBox.y) - lead;
  const below = Math.max(fromBox.y + fromBox.height, toBox.y + toBox.height) + lead;
  const lengthBy = (lane: number): number => Math.abs(from.y - lane) + Math.abs(to.y - lane);
  return lengthBy(above) <= lengthBy(below) ? above : below;
}

/**
 * Returns the `d` attribute of an SVG path for a route. The path ends with an arrowhead, or with a cross if `hasArrow`
 * is false.
 */
export function pathOf(route: Route, { hasArrow }: { readonly hasArrow: boolean }): string {
  let path = "";
  drawRoute(route, {
    moveTo: (x, y) => (path += `M${short(x)} ${short(y)}`),
    lineTo: (x, y) => (path += `L${short(x)} ${short(y)}`),
    quadraticCurveTo: (cx, cy, x, y) => (path += `Q${short(cx)} ${short(cy)} ${short(x)} ${short(y)}`),
    bezierCurveTo: (ax, ay, bx, by, x, y) =>
      (path += `C${short(ax)} ${short(ay)} ${short(bx)} ${short(by)} ${short(x)} ${short(y)}`),
  });
  const tip = route.points.at(-1);
  if (!tip) return path;
  const { x, y } = tip;
  return hasArrow
    ? `${path}M${short(x - 6)} ${short(y - 4.5)}L${short(x - 0.5)} ${short(y)}L${short(x - 6)} ${short(y + 4.5)}`
    : `${path}m-4 -4l8 8m0 -8l-8 8`;
}

/** The output of drawing: a canvas context, or a builder of an SVG path. */
export type Pen = {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
};

export function drawRoute(route: Route, pen: Pen): void {
  if (route.kind === "curve") {
    const [from, a, b, to] = route.points;
    pen.moveTo(from.x, from.y);
    pen.bezierCurveTo(a.x, a.y, b.x, b.y, to.x, to.y);
    return;
  }
  const { points } = route;
  for (const [index, point] of points.entries()) {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) pen.moveTo(point.x, point.y);
    else if (!after) pen.lineTo(point.x, point.y);
    else {
      const [start, end] = [towards(point, before), towards(point, after)];
      pen.lineTo(start.x, start.y);
      pen.quadraticCurveTo(point.x, point.y, end.x, end.y);
    }
  }
}

/** Returns a point at the corner radius from the corner, or halfway to the other point if that is nearer. */
function towards(point: Point, other: Point): Point {
  const length = Math.hypot(other.x - point.x, other.y - point.y);
  const share = length === 0 ? 0 : Math.min(corner, length / 2) / length;
  return { x: point.x + (other.x - point.x) * share, y: point.y + (other.y - point.y) * share };
}

/** Approximates the route with straight segments, accurately enough to find the edge under a pointer. */
export function piecesOf(route: Route): readonly Point[] {
  if (route.kind === "lanes") return route.points;
  const [from, a, b, to] = route.points;
  const count = 16;
  return Array.from({ length: count + 1 }, (_, index) => {
    const t = index / count;
    const s = 1 - t;
    const mix = (p: number, q: number, r: number, end: number): number =>
      s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * end;
    return { x: mix(from.x, a.x, b.x, to.x), y: mix(from.y, a.y, b.y, to.y) };
  });
}

export function boxOfRoute({ points }: Route): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Returns the shortest distance between a point and a route. */
export function distanceTo(route: Route, point: Point): number {
  const pieces = piecesOf(route);
  let nearest = Infinity;
  for (let index = 1; index < pieces.length; index++) {
    const [from, to] = [pieces[index - 1], pieces[index]];
    if (from && to) nearest = Math.min(nearest, distanceToPiece(point, from, to));
  }
  return nearest;
}

function distanceToPiece({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return Math.hypot(x - from.x - dx * share, y - from.y - dy * share);
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}
