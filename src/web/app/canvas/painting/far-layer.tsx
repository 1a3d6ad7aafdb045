import { computed, effect, untracked } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Colors, readColors, watchScheme } from "../colors.ts";
import type { Box, Brush, Card, EdgeShape, Mark } from "../contract.ts";
import { shiftedRoute } from "../moving.ts";
import { grown, overlaps } from "../scene/geometry.ts";
import type { OpenView } from "../view.ts";
import { paintArea } from "./paint-area.ts";
import { aim, type CardLook, type Line, type Picture, paint } from "./painter.ts";

/**
 * The painted margin around the view, as a share of the canvas on each side. Within the margin, the picture is only
 * shifted.
 */
const margin = 0.25;
/**
 * The factor by which the zoom may differ from the picture's zoom during a movement. Beyond it, the picture is painted
 * again.
 */
const mostStretch = 1.3;
const restMs = 120;

/**
 * The painted picture of the flow, used when cards are too small or too many to be elements. One canvas extends beyond
 * the view, and a second canvas contains the dragged objects.
 */
export function FarLayer({ view }: { readonly view: OpenView }) {
  const still = useRef<HTMLCanvasElement>(null);
  const moving = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (!still.current || !moving.current) return;
    return showPictures(view, still.current, moving.current);
  }, [view]);
  return (
    <>
      <canvas ref={still} class="canvas-picture" {...hidden} />
      <canvas ref={moving} class="canvas-picture" {...hidden} />
    </>
  );
}

type Painted = { readonly box: Box; readonly zoom: number };

function showPictures(view: OpenView, still: HTMLCanvasElement, moving: HTMLCanvasElement): () => void {
  let colors: Colors | undefined;
  let painted: Painted | undefined;
  let rest = 0;
  // Computed separately, so that a step of a drag or a keystroke does not paint the whole picture again.
  const dragged = computed(() => view.shift.value?.ids);
  const groupColors = computed((): unknown => view.source.editor.store.draft.value.editor?.["colors"]);
  const repaint = (): void => {
    colors = undefined;
    paintAnew();
  };
  const paintAnew = (): void => {
    painted = undefined;
    show();
  };

  const show = (): void => {
    const isFar = view.isFar.value;
    still.hidden = !isFar;
    if (!isFar) {
      painted = undefined;
      return;
    }
    const { zoom } = view.camera;
    const seen = view.camera.boxNow();
    if (seen.width === 0) return;
    const stretch = painted ? zoom / painted.zoom : 1;
    const isUsable = painted && isInside(seen, painted.box) && stretch < mostStretch && stretch > 1 / mostStretch;
    if (!isUsable) paintStill(seen, zoom);
    if (!painted) return;
    const scale = zoom / painted.zoom;
    still.style.transform = `translate(${(painted.box.x - seen.x) * zoom}px, ${(painted.box.y - seen.y) * zoom}px) scale(${scale})`;
    clearTimeout(rest);
    if (scale !== 1) rest = window.setTimeout(paintAnew, restMs);
  };
  const paintStill = (seen: Box, zoom: number): void => {
    const box = {
      x: seen.x - seen.width * margin,
      y: seen.y - seen.height * margin,
      width: seen.width * (1 + 2 * margin),
      height: seen.height * (1 + 2 * margin),
    };
    const context = contextOf(still, box, zoom);
    if (!context) return;
    colors ??= readColors(still.parentElement ?? still);
    const scene = view.scene.value;
    const moved = dragged.value;
    const wide = grown(box, 16 / zoom);
    const cards = scene.cardsIn(wide).filter(({ id }) => !moved?.has(id));
    const edges = scene.edgesIn(wide).filter((edge) => !isDragged(edge, moved));
    const look = { ...lookIn(view, colors, groupColors.value), zoom };
    paintOverlays("below", context, look);
    paint(context, { ...look, cards, edges });
    paintOverlays("above", context, look);
    painted = { box, zoom };
  };
  const paintOverlays = (layer: "below" | "above", context: CanvasRenderingContext2D, brush: Brush): void => {
    for (const overlay of view.overlays.value) {
      if (overlay.layer !== layer) continue;
      const area = overlay.painted?.value;
      if (area) paintArea(context, brush, area);
      if (!overlay.paint) continue;
      context.save();
      overlay.paint(context, brush);
      context.restore();
    }
  };
  const showMoving = (): void => {
    const shift = view.shift.value;
    const isFar = view.isFar.value;
    moving.hidden = !isFar || !shift;
    if (moving.hidden || !shift) return;
    const { zoom } = view.camera.state.value;
    const box = view.camera.boxNow();
    const context = contextOf(moving, box, zoom);
    if (!context) return;
    colors ??= readColors(still.parentElement ?? still);
    const scene = view.scene.value;
    const cards = [...shift.ids].flatMap((id) => {
      const card = scene.cards.get(id);
      return card ? [{ ...card, box: { ...card.box, x: card.box.x + shift.by.x, y: card.box.y + shift.by.y } }] : [];
    });
    const edges = new Map<string, EdgeShape>();
    for (const id of shift.ids) for (const edge of scene.edgesOf(id)) edges.set(edge.port.key, edge);
    const shifted = [...edges.values()].map((edge) => ({ ...edge, route: shiftedRoute(edge, scene.cards, shift) }));
    paint(context, {
      ...lookIn(view, colors, groupColors.value),
      cards: cards.filter((card) => overlaps(card.box, box)),
      edges: shifted,
      zoom,
    });
  };

  const stops = [
    // A change of the picture's content or of the canvas's size paints the picture again.
    effect(() => {
      view.camera.size.value;
      paintAnew();
    }),
    effect(() => {
      view.camera.state.value;
      // A movement of the camera only moves the picture. The effect above handles changes of its content.
      untracked(show);
    }),
    effect(showMoving),
    watchScheme(repaint),
    () => clearTimeout(rest),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function contextOf(canvas: HTMLCanvasElement, box: Box, zoom: number): CanvasRenderingContext2D | null {
  const ratio = Math.min(2, devicePixelRatio);
  const [width, height] = [Math.ceil(box.width * zoom), Math.ceil(box.height * zoom)];
  const [inner, outer] = [Math.ceil(width * ratio), Math.ceil(height * ratio)];
  if (canvas.width !== inner || canvas.height !== outer) {
    canvas.width = inner;
    canvas.height = outer;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  if (context) aim(context, box, zoom * ratio);
  return context;
}

function lookIn(view: OpenView, colors: Colors, groupColors: unknown): Omit<Picture, "cards" | "edges" | "zoom"> {
  const chosen = view.selection.cards.value;
  const found = view.source.findings.byThing.value;
  const walked = view.source.editor.walked.value?.blockIds;
  const marks = view.marks.value?.value;
  const edgeId = view.selection.edge.value;
  const lines = linesIn(colors);
  // Overlays with their own `paint`, such as those of a comparison, also paint the signs of the marks.
  const areSignsPainted = view.overlays.value.some((overlay) => overlay.paint !== undefined);
  return {
    colors,
    font: getComputedStyle(document.body).fontFamily,
    lookOf(card: Card): CardLook {
      const counts = found.get(card.id);
      const mark = marks?.get(card.id);
      const isWalked = walked !== undefined && card.rows.some(({ blockId }) => walked.has(blockId));
      const tone = mark ? lines[mark.tone]?.tone : isWalked ? colors.good : undefined;
      const color = colorName(groupColors, card.id);
      return {
        isChosen: chosen.has(card.id),
        ...(tone !== undefined && { tone }),
        ...(mark && !areSignsPainted && { sign: mark.sign }),
        ...(color !== undefined && { tint: colors.tint(color) }),
        ...(counts && { found: counts.errors > 0 ? "error" : counts.warnings > 0 ? "warning" : "info" }),
      };
    },
    lineOf(edge) {
      const mark = marks?.get(edge.id);
      if (mark?.width !== undefined) return { tone: colors.strong, width: mark.width };
      if (mark) return lines[mark.tone];
      const isNear = chosen.has(edge.port.cardId) || chosen.has(edge.toCardId ?? "");
      return isNear || edgeId === edge.id ? { tone: colors.accent, width: 1.75 } : undefined;
    },
  };
}

/**
 * Returns the line style for each tone of a mark. The tone `accent` is for moved objects, which keep the default style
 * and are marked only with a sign.
 */
function linesIn({ good, danger, warning }: Colors): Readonly<Record<Mark["tone"], Line | undefined>> {
  return {
    good: { tone: good, width: 3 },
    danger: { tone: danger, width: 1.75, isDashed: true },
    warning: { tone: warning, width: 1.75 },
    accent: undefined,
  };
}

function colorName(colors: unknown, id: string): string | undefined {
  if (typeof colors !== "object" || colors === null || !Object.hasOwn(colors, id)) return undefined;
  const color: unknown = Reflect.get(colors, id);
  return typeof color === "string" ? color : undefined;
}

function isDragged({ port, toCardId }: EdgeShape, ids: ReadonlySet<string> | undefined): boolean {
  return ids !== undefined && (ids.has(port.cardId) || ids.has(toCardId ?? ""));
}

function isInside(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** The picture is hidden from screen readers. The selected card is an element that they can read. */
const hidden = { "aria-hidden": "true" } as const;
