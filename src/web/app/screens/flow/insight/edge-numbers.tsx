import type { ReadonlySignal } from "@preact/signals";
import { pointAlong } from "../../../canvas/comparison/comparison.ts";
import type { Brush, Mark, Overlay } from "../../../canvas/contract.ts";
import type { OpenView } from "../../../canvas/index.tsx";

type Marks = ReadonlySignal<ReadonlyMap<string, Mark>>;

/** The maximum number of labels. Each label is an element, and more labels would be illegible. */
const mostNumbers = 120;

/** Shows the number of chats beside each edge. When zoomed out, each card has two painted bars instead. */
export function figuresOverlay(view: OpenView, marks: Marks): Overlay {
  return {
    key: "insight",
    layer: "above",
    render: () => <EdgeNumbers view={view} marks={marks} />,
    paint: (context, brush) => paintBars(context, brush, { view, marks }),
  };
}

function EdgeNumbers({ view, marks }: { readonly view: OpenView; readonly marks: Marks }) {
  if (view.isFar.value) return null;
  const scene = view.scene.value;
  const shown = view.drawn.value.edges.flatMap((key) => {
    const edge = scene.edge(key);
    const mark = edge && marks.value.get(edge.id);
    return edge && mark ? [{ key, mark, at: pointAlong(edge.route, 0.5) }] : [];
  });
  const widest = shown.toSorted((a, b) => (b.mark.width ?? 0) - (a.mark.width ?? 0)).slice(0, mostNumbers);
  return (
    <>
      {widest.map(({ key, mark, at }) => (
        <span
          key={key}
          class="insight-edge"
          title={mark.label}
          aria-hidden="true"
          style={{ transform: `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)` }}
        >
          {mark.sign}
        </span>
      ))}
    </>
  );
}

type Painting = { readonly view: OpenView; readonly marks: Marks };

function paintBars(context: CanvasRenderingContext2D, { zoom, colors }: Brush, { view, marks }: Painting): void {
  const height = 3 / zoom;
  for (const { id, box } of view.scene.value.cards.values()) {
    const bars = marks.value.get(id)?.bars;
    if (!bars) continue;
    const top = box.y + box.height;
    context.fillStyle = colors.accent;
    context.fillRect(box.x, top, box.width * bars.reached, height);
    context.fillStyle = colors.danger;
    context.fillRect(box.x, top + height, box.width * bars.reached * bars.left, height);
  }
}
