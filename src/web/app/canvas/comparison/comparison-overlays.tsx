import { useComputed } from "@preact/signals";
import type { Box, Brush, Card, Mark, Overlay, Point } from "../contract.ts";
import { grown, overlaps } from "../scene/geometry.ts";
import { drawRoute, pathOf } from "../scene/routing.ts";
import type { OpenView } from "../view.ts";
import {
  type Compared,
  type GoneEdge,
  goneEdgesIn,
  type LeftPlace,
  leftPlacesIn,
  seenOf,
  signPlaceOf,
} from "./comparison.ts";
import "./comparison.css";

/**
 * Returns the overlays of a comparison. Removed edges and previous positions are below the cards and edges, and the
 * signs of edges are above them.
 */
export function comparisonOverlays(view: OpenView, compared: Compared): readonly Overlay[] {
  return [
    {
      key: "gone",
      layer: "below",
      render: () => <Gone view={view} compared={compared} />,
      paint(context, brush) {
        const scene = view.scene.value;
        paintLeft(context, leftPlacesIn(scene, compared.left), brush);
        paintGone(context, goneEdgesIn(scene, compared.gone), brush);
      },
    },
    {
      key: "signs",
      layer: "above",
      render: () => <EdgeSigns view={view} compared={compared} />,
      paint(context, brush) {
        const marks = view.marks.value?.value;
        if (marks) paintSigns(context, { ...brush, cards: view.scene.value.cards, marks });
      },
    },
  ];
}

type Props = { readonly view: OpenView; readonly compared: Compared };

function Gone({ view, compared }: Props) {
  const edges = useComputed(() => goneEdgesIn(view.scene.value, compared.gone));
  const places = useComputed(() => leftPlacesIn(view.scene.value, compared.left));
  const shown = useComputed(() =>
    view.isFar.value
      ? { edges: [], places: [] }
      : { edges: seenOf(edges.value, view.window.value), places: seenOf(places.value, view.window.value) },
  ).value;
  return (
    <svg class="canvas-edges" width="1" height="1" aria-hidden="true">
      {shown.places.map(({ card, box: { x, y, width, height } }) => (
        <g key={card.id} class="compared-place">
          <rect x={x} y={y} width={width} height={height} rx={card.kind === "event" ? height / 2 : 10} />
          <path d={`M${x + width / 2} ${y + 20}L${card.box.x + card.box.width / 2} ${card.box.y + 20}`} />
          <text x={x + 14} y={y + 25}>
            {card.title}
          </text>
        </g>
      ))}
      {shown.edges.map(({ key, route }) => (
        <path key={key} class="canvas-edge compared-gone" d={pathOf(route, { hasArrow: true })} />
      ))}
    </svg>
  );
}

/** The lowest zoom at which the signs of different edges can be distinguished. */
const leastSigned = 0.4;

function EdgeSigns({ view, compared }: Props) {
  const gone = useComputed(() => goneEdgesIn(view.scene.value, compared.gone));
  const isShown = useComputed(() => !view.isFar.value && view.camera.state.value.zoom >= leastSigned).value;
  const signs = useComputed(() => [
    ...view.drawn.value.edges.flatMap((key): readonly EdgeSign[] => {
      const edge = view.scene.value.edge(key);
      const mark = edge && view.marks.value?.value.get(edge.id);
      return edge && mark
        ? [{ key, at: signPlaceOf(edge.route, view.scene.value), tone: mark.tone, sign: mark.sign }]
        : [];
    }),
    ...seenOf(gone.value, view.window.value).map(
      ({ key, route }): EdgeSign => ({ key, at: signPlaceOf(route, view.scene.value), tone: "danger", sign: "−" }),
    ),
  ]).value;
  if (!isShown) return null;
  return (
    <div class="compared-signs" aria-hidden="true">
      {signs.map(({ key, at, tone, sign }) => (
        <span key={key} class={`compared-sign is-${tone}`} style={{ left: `${at.x}px`, top: `${at.y}px` }}>
          {sign}
        </span>
      ))}
    </div>
  );
}

type EdgeSign = { readonly key: string; readonly at: Point; readonly tone: string; readonly sign: string };

type Look = Pick<Brush, "zoom" | "colors">;

function paintGone(context: CanvasRenderingContext2D, edges: readonly GoneEdge[], { zoom, colors }: Look): void {
  const seen = seenBy(context);
  context.strokeStyle = colors.danger;
  context.lineWidth = 1.5 / zoom;
  context.setLineDash([4 / zoom, 4 / zoom]);
  context.beginPath();
  for (const { route, box } of edges) if (overlaps(box, seen)) drawRoute(route, context);
  context.stroke();
}

/** Paints the previous positions of moved cards, dashed, each with a line to the current position. */
function paintLeft(context: CanvasRenderingContext2D, places: readonly LeftPlace[], { zoom, colors }: Look): void {
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

/** Paints the signs of cards. Removed cards are also painted dashed and pale. */
function paintSigns(context: CanvasRenderingContext2D, { cards, marks, zoom, colors }: Signs): void {
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
  // Covers the card's own border, so that the dashed border is visible.
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

/** Paints a disc at the upper right corner of a card, with a radius of 3 to 9 screen pixels. */
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

/** The smallest radius at which a disc has a sign. On a smaller disc, the sign would be illegible. */
const leastRead = 4.5;

/** Returns the part of the world that the canvas context shows. */
function seenBy(context: CanvasRenderingContext2D): Box {
  const { a, d, e, f } = context.getTransform();
  const { width, height } = context.canvas;
  return { x: -e / a, y: -f / d, width: width / a, height: height / d };
}
