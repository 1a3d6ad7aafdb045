import { useLayoutEffect, useRef, useState } from "preact/hooks";
import panelEdgeWords from "../../words/en/panel-edge.json";
import { useWords } from "../../words/index.ts";
import { type PanelKind, panelWidths, setPanelWidth } from "./panel-width.ts";
import "./panel-edge.css";

const least = 280;
const most = 800;
/** The minimum width of the canvas. */
const beside = 360;
const step = 16;

/**
 * The edge between the flow and its panel (the window splitter pattern). The edge can be dragged. The arrow keys move
 * it, further with Shift, and Home and End move it to either end. A double press or Enter restores the default width.
 */
export function PanelEdge({ kind, panelId }: { readonly kind: PanelKind; readonly panelId: string }) {
  const words = useWords(panelEdgeWords);
  const edge = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const [now, setNow] = useState(0);
  const chosen = panelWidths.value[kind];
  const panel = () => edge.current?.parentElement;
  const widest = () => Math.max(least, Math.min(most, innerWidth - beside));
  /** Returns 1 if moving the edge to the right widens the panel, and -1 if it narrows the panel. */
  const sign = () => (panel()?.matches(":dir(rtl)") ? 1 : -1);
  const set = (width: number) => setPanelWidth(kind, Math.round(Math.min(widest(), Math.max(least, width))));
  const widthNow = () => panel()?.offsetWidth ?? least;
  useLayoutEffect(() => setNow(widthNow()), [chosen, kind]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.shiftKey ? 4 * step : step;
    if (event.key === "ArrowLeft") set(widthNow() - by * sign());
    else if (event.key === "ArrowRight") set(widthNow() + by * sign());
    else if (event.key === "Home") set(least);
    else if (event.key === "End") set(widest());
    else if (event.key === "Enter") setPanelWidth(kind, undefined);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    edge.current?.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: widthNow() };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (drag.current) set(drag.current.width + (event.clientX - drag.current.x) * sign());
  };
  const onPointerUp = (): void => {
    drag.current = undefined;
  };
  const onDblClick = () => setPanelWidth(kind, undefined);
  const hands = { onKeyDown, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onDblClick };
  return (
    <div
      ref={edge}
      class="panel-edge"
      {...{
        role: "separator",
        tabIndex: 0,
        "aria-orientation": "vertical",
        "aria-label": words.label,
        "aria-controls": panelId,
        "aria-valuenow": now,
        "aria-valuemin": least,
        "aria-valuemax": widest(),
        "aria-valuetext": words.pixels({ width: now }),
        title: words.hint,
      }}
      {...hands}
    />
  );
}
