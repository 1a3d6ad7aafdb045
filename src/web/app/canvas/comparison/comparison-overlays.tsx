import { useComputed } from "@preact/signals";
import type { Overlay, Point } from "../contract.ts";
import { pathOf } from "../scene/routing.ts";
import type { OpenView } from "../view.ts";
import { type Compared, goneEdgesIn, leftPlacesIn, seenOf, signPlaceOf } from "./comparison.ts";
import { paintGone, paintLeft, paintSigns } from "./comparison-paint.ts";
import "./comparison.css";

/** The drawing of a comparison beside cards and edges: below them removed things and former places, above them the signs of edges. */
export function comparisonOverlays(view: OpenView, compared: Compared): readonly Overlay[] {
  return [
    {
      key: "gone",
      layer: "below",
      render: () => <Gone view={view} compared={compared} />,
      paint(context, brush) {
        const scene = view.scene.peek();
        paintLeft(context, leftPlacesIn(scene, compared.left), brush);
        paintGone(context, goneEdgesIn(scene, compared.gone), brush);
      },
    },
    {
      key: "signs",
      layer: "above",
      render: () => <EdgeSigns view={view} compared={compared} />,
      paint(context, brush) {
        const marks = view.marks.peek()?.peek();
        if (marks) paintSigns(context, { ...brush, cards: view.scene.peek().cards, marks });
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

/** From this size on, the signs of different edges can be distinguished. */
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
