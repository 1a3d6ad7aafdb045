import type { Box, Card, CardRow, EdgeShape, Hit, Overlay, Point, Port, Scene } from "../contract.ts";
import { grown, isWithin, pointOf, sizes } from "./geometry.ts";
import { distanceTo } from "./routing.ts";

/** The objects to search: a scene, or plain lists. */
export type Hittable = {
  cardsIn(box: Box): readonly Card[];
  edgesIn(box: Box): readonly EdgeShape[];
};

export type Aim = {
  readonly zoom: number;
  /** The ids of the cards that are drawn above the other cards. */
  readonly raised: ReadonlySet<string>;
  readonly overlays?: readonly Overlay[];
  /** When zoomed out, rows and ports are too small to be hit. */
  readonly isFar?: boolean;
};

/** The greatest distances of a pointer for a hit, in screen pixels, and the upper limit for ports in world units. */
const reaches = { port: 12, edge: 6, end: 20 } as const;
const mostReach = 18;

export function reachOf(of: keyof typeof reaches, zoom: number): number {
  return Math.min(reaches[of] / zoom, of === "port" ? mostReach : Number.POSITIVE_INFINITY);
}

/** Returns the uppermost object at a point of the world. Ports extend beyond their cards, and cards are above edges. */
export function hitAt(scene: Hittable, world: Point, aim: Aim): Hit {
  const { overlays = [] } = aim;
  return (
    hitOfOverlays(overlays, "above", world) ??
    hitOfCards(scene, world, aim) ??
    hitOfEdges(scene, world, aim) ??
    hitOfOverlays(overlays, "below", world) ?? { kind: "ground" }
  );
}

function hitOfOverlays(overlays: readonly Overlay[], layer: Overlay["layer"], world: Point): Hit | undefined {
  for (const overlay of overlays.filter((one) => one.layer === layer).reverse()) {
    const hit = overlay.hit?.(world);
    if (hit) return hit;
  }
  return undefined;
}

function hitOfCards(scene: Hittable, world: Point, { zoom, raised, isFar = false }: Aim): Hit | undefined {
  const reach = isFar ? 0 : reachOf("port", zoom);
  for (const card of fromAbove(scene.cardsIn(aroundPoint(world, reach)), raised)) {
    const port = isFar ? undefined : nearestPort(card, world, reach);
    if (port) return hitOfPort(card, port);
    if (isWithin(world, card.box)) return isFar ? { kind: "card", id: card.id, of: card.kind } : hitInCard(card, world);
  }
  return undefined;
}

function fromAbove(cards: readonly Card[], raised: ReadonlySet<string>): readonly Card[] {
  const reversed = [...cards].reverse();
  return raised.size === 0
    ? reversed
    : [...reversed.filter(({ id }) => raised.has(id)), ...reversed.filter(({ id }) => !raised.has(id))];
}

export function nearestPort(card: Card, world: Point, reach: number): Port | undefined {
  let nearest: Port | undefined;
  let least = reach;
  for (const port of card.ports) {
    const { x, y } = pointOf(card, port);
    const distance = Math.hypot(world.x - x, world.y - y);
    // If several ports share a position, as on a folded card, the first port wins.
    if (distance > least || (distance === least && nearest)) continue;
    [nearest, least] = [port, distance];
  }
  return nearest;
}

function hitOfPort(card: Card, port: Port): Hit {
  const { target, itemId, pathId } = port.outlet;
  const blockId = target.of === "item" ? target.in : target.of === "block" ? target.id : undefined;
  return {
    ...{ kind: "port", id: card.id, port },
    ...(blockId !== undefined && { blockId }),
    ...(itemId !== undefined && { itemId }),
    ...(pathId !== undefined && { pathId }),
  };
}

function hitInCard(card: Card, world: Point): Hit {
  const y = world.y - card.box.y;
  const row = card.rows.find((one) => y >= one.y && y < one.y + one.height);
  if (row) return hitOfRow(card, row);
  return { kind: y < sizes.title ? "title" : "card", id: card.id, of: card.kind };
}

function hitOfRow({ id }: Card, { kind, blockId, itemId, pathId, way }: CardRow): Hit {
  if (kind === "block") return { kind: "row", id, blockId };
  return {
    ...{ kind: "item", id, blockId },
    ...(itemId !== undefined && { itemId }),
    ...(pathId !== undefined && { pathId }),
    ...(kind === "otherwise" && { row: kind }),
    ...(way !== undefined && { row: way }),
  };
}

function hitOfEdges(scene: Hittable, world: Point, { zoom }: Aim): Hit | undefined {
  const reach = reachOf("edge", zoom);
  let nearest: EdgeShape | undefined;
  let least = reach;
  for (const edge of scene.edgesIn(aroundPoint(world, reach))) {
    const distance = distanceTo(edge.route, world);
    if (distance > least) continue;
    [nearest, least] = [edge, distance];
  }
  if (!nearest) return undefined;
  const end = endAt(nearest, world, reachOf("end", zoom));
  return { kind: "edge", id: nearest.id, edge: nearest, ...(end && { end }) };
}

function endAt({ from, to }: EdgeShape, { x, y }: Point, reach: number): "from" | "to" | undefined {
  const [start, end] = [Math.hypot(x - from.x, y - from.y), Math.hypot(x - to.x, y - to.y)];
  if (Math.min(start, end) > reach) return undefined;
  return end <= start ? "to" : "from";
}

function aroundPoint({ x, y }: Point, reach: number): Box {
  return grown({ x, y, width: 0, height: 0 }, reach);
}

/** Whether the hit is a card or a part of a card. */
export function isOfCard(hit: Hit): hit is Exclude<Hit, { kind: "ground" | "edge" | "frame" | "note" | "overlay" }> {
  return ["card", "title", "row", "item", "port"].includes(hit.kind);
}

export type Direction = "left" | "right" | "up" | "down";

/** The directions of the arrow keys. */
export const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/**
 * Returns the next card in a direction; undefined if there is none. Distances are measured between the sides of the
 * cards, not their middles. A card straight ahead is preferred to a nearer card that is diagonal.
 */
export function nextCard<Placed extends { readonly id: string; readonly box: Box }>(
  cards: Iterable<Placed>,
  from: { readonly id: string; readonly box: Box },
  direction: Direction,
): Placed | undefined {
  let best: Placed | undefined;
  let least = Number.POSITIVE_INFINITY;
  // Cards at the same position count as one below the other, in the order of the flow.
  const twins: Placed[] = [];
  for (const card of cards) {
    if (card.box.x === from.box.x && card.box.y === from.box.y) {
      twins.push(card);
      continue;
    }
    const away = distanceIn(direction, from.box, card.box);
    if (away === undefined || away >= least) continue;
    [best, least] = [card, away];
  }
  const at = twins.findIndex(({ id }) => id === from.id);
  return (direction === "down" ? twins[at + 1] : direction === "up" ? twins[at - 1] : undefined) ?? best;
}

function distanceIn(direction: Direction, from: Box, to: Box): number | undefined {
  const isAcross = direction === "left" || direction === "right";
  const [a, b] = isAcross ? [spanX(from), spanX(to)] : [spanY(from), spanY(to)];
  const [c, d] = isAcross ? [spanY(from), spanY(to)] : [spanX(from), spanX(to)];
  const isForward = direction === "right" || direction === "down";
  const isAhead = isForward ? b.start > a.start : b.end < a.end;
  if (!isAhead) return undefined;
  const ahead = Math.max(0, isForward ? b.start - a.end : a.start - b.end);
  const aside = Math.max(0, d.start - c.end, c.start - d.end);
  // A card that is not straight ahead counts as further away. On a tie, the card whose middle is nearer wins.
  return ahead + aside * 3 + Math.abs((b.start + b.end - a.start - a.end) / 2) * 0.01;
}

function spanX({ x, width }: Box): { readonly start: number; readonly end: number } {
  return { start: x, end: x + width };
}

function spanY({ y, height }: Box): { readonly start: number; readonly end: number } {
  return { start: y, end: y + height };
}

/** Returns a card and every card that can be reached from it, for the command "everything after this". */
export function cardsAfter(scene: Pick<Scene, "edgesOf">, id: string): ReadonlySet<string> {
  const met = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (met.has(at)) continue;
    met.add(at);
    for (const { port, toCardId } of scene.edgesOf(at))
      if (port.cardId === at && toCardId !== undefined) open.push(toCardId);
  }
  return met;
}
