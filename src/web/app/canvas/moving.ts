import type { Box, Card, EdgeShape, Point } from "./contract.ts";
import { pathOf, routeOf, stubOf } from "./scene/routing.ts";
import type { OpenView } from "./view.ts";

/** Returns the route of an edge while one or both of its cards are dragged away from their positions in the draft. */
export function shiftedRoute(
  edge: EdgeShape,
  cards: ReadonlyMap<string, Card>,
  { ids, by }: { readonly ids: ReadonlySet<string>; readonly by: Point },
): EdgeShape["route"] {
  const from = ids.has(edge.port.cardId) ? moved(edge.from, by) : edge.from;
  const [fromCard, toCard] = [cards.get(edge.port.cardId), cards.get(edge.toCardId ?? "")];
  if (!toCard || !fromCard) return stubOf(from);
  const isToMoved = ids.has(toCard.id);
  const boxAt = ({ id, box }: Card): Box => (ids.has(id) ? { ...box, ...moved(box, by) } : box);
  return routeOf({
    from,
    to: isToMoved ? moved(edge.to, by) : edge.to,
    fromBox: boxAt(fromCard),
    toBox: boxAt(toCard),
  });
}

/**
 * Moves elements during a drag by setting their styles, without rendering components. Returns the function to call at
 * each step.
 */
export function followShift(view: OpenView): () => void {
  let moving: { readonly ids: ReadonlySet<string>; readonly edges: readonly EdgeShape[] } | undefined;
  const stop = (): void => {
    if (!moving) return;
    for (const id of moving.ids) setPlace(view.elements.get(id), undefined);
    // The command may have failed or moved the cards elsewhere, so the edges return to their routes in the draft.
    for (const { port } of moving.edges) setPath(view, port.key, view.scene.value.edge(port.key)?.route);
    moving = undefined;
  };
  return () => {
    const shift = view.shift.value;
    if (!shift) {
      stop();
      return;
    }
    const scene = view.scene.value;
    if (moving?.ids !== shift.ids) {
      stop();
      const edges = new Map<string, EdgeShape>();
      for (const id of shift.ids) for (const edge of scene.edgesOf(id)) edges.set(edge.port.key, edge);
      moving = { ids: shift.ids, edges: [...edges.values()] };
    }
    for (const id of shift.ids) setPlace(view.elements.get(id), shift.by);
    for (const edge of moving.edges) setPath(view, edge.port.key, shiftedRoute(edge, scene.cards, shift));
  };
}

function setPlace(element: Element | undefined, by: Point | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  element.style.translate = by ? `${by.x}px ${by.y}px` : "";
  element.classList.toggle("is-dragged", by !== undefined);
}

function setPath(view: OpenView, key: string, route: EdgeShape["route"] | undefined): void {
  const isWhole = view.scene.value.edge(key)?.toCardId !== undefined;
  if (route) view.elements.get(key)?.setAttribute("d", pathOf(route, { hasArrow: isWhole }));
}

function moved({ x, y }: Point, by: Point): Point {
  return { x: x + by.x, y: y + by.y };
}
