import type { EdgeTarget, Outlet } from "../../../../core/editing/references/outlets.ts";
import type { Box, Card, Point, Port, Route } from "../contract.ts";
import { fitted } from "../scene/camera.ts";
import { grown, overlaps, pointOf, sizes, unionOf } from "../scene/geometry.ts";
import { boxOfRoute, piecesOf, routeOf } from "../scene/routing.ts";
import { type BuiltScene, entryOf } from "../scene/scene.ts";
import type { OpenView } from "../view.ts";

/**
 * The parts of a comparison that the shown flow does not contain: removed edges, and the previous positions of cards.
 */
export type Compared = {
  readonly gone: readonly { readonly key: string; readonly outlet: Outlet; readonly to: EdgeTarget }[];
  readonly left: readonly (Point & { readonly id: string })[];
};

/** A removed edge with the route along which it is drawn. */
export type GoneEdge = { readonly key: string; readonly route: Route; readonly box: Box };

/**
 * Returns the removed edges between cards at their current positions. An edge without a visible source or target is
 * omitted.
 */
export function goneEdgesIn(scene: BuiltScene, gone: Compared["gone"]): readonly GoneEdge[] {
  return gone.flatMap(({ key, outlet, to }) => {
    const start = startOf(scene, outlet);
    const row = to.blockId === undefined ? undefined : scene.rowOf(to.blockId);
    const target = scene.cards.get(to.groupId) ?? row?.card;
    if (!start || !target) return [];
    const isFirst = row?.card.rows[0]?.blockId === row?.row.blockId;
    const end = entryOf(target, row?.card === target && !isFirst ? row.row : undefined);
    const route = routeOf({ from: start.at, to: end, fromBox: start.card.box, toBox: target.box });
    return [{ key, route, box: boxOfRoute(route) }];
  });
}

function startOf(scene: BuiltScene, { target, path }: Outlet): { readonly card: Card; readonly at: Point } | undefined {
  const { of, id = "", in: within } = target;
  const row = of === "event" ? undefined : scene.rowOf(of === "item" ? (within ?? "") : id);
  const card = of === "event" ? scene.cards.get(id) : row?.card;
  if (!card) return undefined;
  const isHere = ({ outlet }: Port): boolean =>
    outlet.target.id === target.id && outlet.target.in === within && isSamePath(outlet.path, path);
  const port = card.ports.find(isHere);
  if (port) return { card, at: pointOf(card, port) };
  // Some cards have no port for an outlet without an edge. The edge then begins at the row or at the title.
  const y = row ? row.row.y + row.row.height / 2 : sizes.title / 2;
  return { card, at: { x: card.box.x + card.box.width, y: card.box.y + y } };
}

function isSamePath(one: Outlet["path"], other: Outlet["path"]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

/**
 * Returns the position of the sign on an edge: the middle of the edge, or a point nearer to one end if a card covers
 * the middle. If cards cover all candidates, returns the middle.
 */
export function signPlaceOf(route: Route, scene: BuiltScene): Point {
  const isFree = (at: Point): boolean => scene.cardsIn(grown({ ...at, width: 0, height: 0 }, signRadius)).length === 0;
  const places = [0.5, 0.35, 0.65, 0.2, 0.8].map((share) => pointAlong(route, share));
  return places.find(isFree) ?? pointAlong(route, 0.5);
}

const signRadius = 9;

/** Returns the point at a fraction of the route's length. */
export function pointAlong(route: Route, share: number): Point {
  const pieces = piecesOf(route);
  const lengths = pieces.map((point, index) => {
    const before = pieces[index - 1];
    return before ? Math.hypot(point.x - before.x, point.y - before.y) : 0;
  });
  let left = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [pieces[index - 1], pieces[index]];
    if (!from || !to || left > length) {
      left -= length;
      continue;
    }
    const part = length === 0 ? 0 : left / length;
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  }
  return pieces.at(-1) ?? { x: 0, y: 0 };
}

/** The previous position of a card that was moved. */
export type LeftPlace = { readonly card: Card; readonly box: Box };

/** Movements below this distance are not shown. */
const leastMove = 24;

export function leftPlacesIn(scene: BuiltScene, left: Compared["left"]): readonly LeftPlace[] {
  return left.flatMap(({ id, x, y }) => {
    const card = scene.cards.get(id);
    if (!card || Math.hypot(card.box.x - x, card.box.y - y) < leastMove) return [];
    return [{ card, box: { ...card.box, x, y } }];
  });
}

/** Returns the objects that overlap the visible box. */
export function seenOf<Thing extends { readonly box: Box }>(things: readonly Thing[], seen: Box): readonly Thing[] {
  return things.filter(({ box }) => overlaps(box, seen));
}

/** Below this zoom, cards are only dots. */
const leastUseful = 0.08;

/**
 * Sets the first view of a comparison without an animation. The view shows all differences, or only the first
 * difference if the cards would be too small. Does nothing without a card, or before the flow and the size of the
 * canvas are known.
 */
export function placeOn(view: OpenView, ids: readonly string[]): void {
  const size = view.camera.size.value;
  const { cards } = view.scene.value;
  if (size.width === 0 || view.types.value === undefined || cards.size === 0) return;
  const boxes = ids.flatMap((id) => cards.get(id)?.box ?? []);
  const all = unionOf(boxes);
  if (!all) return;
  const whole = fitted(all, size);
  const [first = all] = boxes;
  view.isPlaced = true;
  view.camera.state.value = whole.zoom < leastUseful ? fitted(first, size) : whole;
}

/**
 * Shows a box. At a zoom at which texts are readable, the camera moves only if the box is not fully visible. At a lower
 * zoom, the camera fits the box into the canvas.
 */
export function lookAt({ camera }: OpenView, box: Box): void {
  const seen = camera.boxNow();
  const isNear = camera.zoom >= leastReadable;
  const isSeen =
    box.x >= seen.x &&
    box.y >= seen.y &&
    box.x + box.width <= seen.x + seen.width &&
    box.y + box.height <= seen.y + seen.height;
  if (isNear && isSeen) return;
  if (isNear) camera.reveal(box);
  else camera.fitBox({ x: box.x - room, y: box.y - room, width: box.width + 2 * room, height: box.height + 2 * room });
}

const leastReadable = 0.55;
const room = 120;
