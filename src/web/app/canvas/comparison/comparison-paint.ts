import type { Box, Brush, Card, Mark } from "../contract.ts";
import { grown, overlaps } from "../scene/geometry.ts";
import { drawRoute } from "../scene/routing.ts";
import type { GoneEdge, LeftPlace } from "./comparison.ts";

type Look = Pick<Brush, "zoom" | "colors">;

/** Ways that are gone, dashed. */
export function paintGone(context: CanvasRenderingContext2D, edges: readonly GoneEdge[], { zoom, colors }: Look): void {
  const seen = seenBy(context);
  context.strokeStyle = colors.danger;
  context.lineWidth = 1.5 / zoom;
  context.setLineDash([4 / zoom, 4 / zoom]);
  context.beginPath();
  for (const { route, box } of edges) if (overlaps(box, seen)) drawRoute(route, context);
  context.stroke();
}

/** Where cards lay, dashed, each with a line to where it lies now. */
export function paintLeft(
  context: CanvasRenderingContext2D,
  places: readonly LeftPlace[],
  { zoom, colors }: Look,
): void {
  const seen = seenBy(context);
  context.strokeStyle = colors.accent;
  context.lineWidth = 1 / zoom;
  context.setLineDash([3 / zoom, 3 / zoom]);
  context.beginPath();
  for (const { card, box } of places) {
    if (!overlaps(box, seen) && !overlaps(card.box, seen)) continue;
    context.roundRect(box.x, box.y, box.width, box.height, 10);
    context.moveTo(box.x + box.width / 2, box.y + 20);
    context.lineTo(card.box.x + card.box.width / 2, card.box.y + 20);
  }
  context.stroke();
}

type Signs = Look & { readonly cards: ReadonlyMap<string, Card>; readonly marks: ReadonlyMap<string, Mark> };

/** The signs of cards, as large on the screen at any zoom; those of removed things are dashed and pale. */
export function paintSigns(context: CanvasRenderingContext2D, { cards, marks, zoom, colors }: Signs): void {
  const seen = grown(seenBy(context), 16 / zoom);
  const tones = { good: colors.good, danger: colors.danger, warning: colors.warning, accent: colors.accent };
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const [id, { tone, sign }] of marks) {
    const card = cards.get(id);
    if (!card || !overlaps(card.box, seen)) continue;
    if (tone === "danger") veil(context, card, { zoom, colors });
    paintSign(context, { box: card.box, sign, color: tones[tone], zoom, on: colors.surface });
  }
}

function veil(context: CanvasRenderingContext2D, { box, kind }: Card, { zoom, colors }: Look): void {
  const { x, y, width, height } = box;
  context.beginPath();
  context.roundRect(x, y, width, height, kind === "event" ? height / 2 : 10);
  context.globalAlpha = 0.5;
  context.fillStyle = colors.surface;
  context.fill();
  context.globalAlpha = 1;
  // The whole line below it gives way to a dashed one.
  context.strokeStyle = colors.surface;
  context.lineWidth = 2.5 / zoom;
  context.stroke();
  context.setLineDash([5 / zoom, 4 / zoom]);
  context.strokeStyle = colors.danger;
  context.lineWidth = 2 / zoom;
  context.stroke();
  context.setLineDash([]);
}

type Sign = {
  readonly box: Box;
  readonly sign: string;
  readonly color: string;
  readonly on: string;
  readonly zoom: number;
};

/** A disc at the upper corner, as large as its card allows. */
function paintSign(context: CanvasRenderingContext2D, { box, sign, color, on, zoom }: Sign): void {
  const radius = Math.min(9, Math.max(3, box.width * zoom * 0.2));
  const [x, y] = [box.x + box.width - radius / zoom / 2, box.y + radius / zoom / 2];
  context.beginPath();
  context.arc(x, y, radius / zoom, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  context.strokeStyle = on;
  context.lineWidth = 1.5 / zoom;
  context.stroke();
  if (radius < leastRead) return;
  context.font = `700 ${(radius * 1.6) / zoom}px sans-serif`;
  context.fillStyle = on;
  context.fillText(sign, x, y + 0.5 / zoom);
}

/** A sign in a smaller disc is a spot. */
const leastRead = 4.5;

/** The part of the world that a picture shows. */
function seenBy(context: CanvasRenderingContext2D): Box {
  const { a, d, e, f } = context.getTransform();
  const { width, height } = context.canvas;
  return { x: -e / a, y: -f / d, width: width / a, height: height / d };
}
