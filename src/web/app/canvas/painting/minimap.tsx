import { effect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { EditorFamily } from "../../../../core/interpreter/schemas/editor-families.ts";
import { type Colors, readColors, watchScheme } from "../colors.ts";
import type { Box, Card, Point } from "../contract.ts";
import { boxOf } from "../scene/camera.ts";
import type { OpenView } from "../view.ts";

const size = { width: 176, height: 116 } as const;
const margin = 8;

/**
 * A minimap of all cards and of the visible part. A press or a drag on the minimap moves the view. For the keyboard,
 * the canvas has its own commands.
 */
export function Minimap({ view }: { readonly view: OpenView }) {
  const picture = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let isAsked = 0;
    // Reading a colour makes the browser compute styles, so the colours are read again only when the scheme changes.
    let colors: Colors | undefined;
    const repaint = (): void => {
      isAsked = 0;
      const { current } = picture;
      if (!current) return;
      colors ??= readColors(current.parentElement ?? current);
      paintMap(view, current, colors);
    };
    const ask = (): void => {
      isAsked ||= requestAnimationFrame(repaint);
    };
    const stops = [
      effect(() => {
        view.scene.value;
        view.selection.cards.value;
        view.marks.value?.value;
        ask();
      }),
      effect(() => showFrame(view, frame.current)),
      watchScheme(() => {
        colors = undefined;
        ask();
      }),
      () => cancelAnimationFrame(isAsked),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [view]);
  const goTo = (event: PointerEvent): void => {
    const corner = picture.current?.getBoundingClientRect();
    const map = mapOf(view);
    if (event.buttons !== 1 || !corner || !map) return;
    const to = {
      x: (event.clientX - corner.x) / map.scale + map.box.x,
      y: (event.clientY - corner.y) / map.scale + map.box.y,
    };
    centerOn(view, to);
  };
  const hands = {
    onPointerDown(event: PointerEvent) {
      if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
      goTo(event);
    },
    onPointerMove: goTo,
  };
  return (
    <div class="canvas-map" data-pointers data-covers {...hidden} {...hands}>
      <canvas ref={picture} width={size.width * 2} height={size.height * 2} />
      <div class="canvas-map-frame" ref={frame} />
    </div>
  );
}

const hidden = { "aria-hidden": "true" } as const;

/** Returns the part of the world that the minimap shows, and its scale. Undefined for an empty scene. */
function mapOf(view: OpenView): { readonly box: Box; readonly scale: number } | undefined {
  const { bounds } = view.scene.value;
  if (!bounds) return undefined;
  const [width, height] = [size.width - 2 * margin, size.height - 2 * margin];
  const scale = Math.min(width / bounds.width, height / bounds.height, 0.2);
  const corner: Point = {
    x: bounds.x + bounds.width / 2 - size.width / scale / 2,
    y: bounds.y + bounds.height / 2 - size.height / scale / 2,
  };
  return { scale, box: { ...corner, width: size.width / scale, height: size.height / scale } };
}

function paintMap(view: OpenView, canvas: HTMLCanvasElement, colors: Colors): void {
  const context = canvas.getContext("2d");
  const map = mapOf(view);
  if (!context || !map) return;
  const chosen = view.selection.cards.value;
  const marks = view.marks.value?.value;
  const { box: seen, scale } = map;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(2 * scale, 0, 0, 2 * scale, -2 * scale * seen.x, -2 * scale * seen.y);
  const least = 2 / scale;
  for (const card of view.scene.value.cards.values()) {
    const { id, box } = card;
    const mark = marks?.get(id);
    context.fillStyle = chosen.has(id)
      ? colors.accent
      : mark && mark.tone !== "accent"
        ? colors[mark.tone]
        : colors[familyOf(card)];
    context.fillRect(box.x, box.y, Math.max(least, box.width), Math.max(least, box.height));
  }
}

const families = new WeakMap<Card, EditorFamily>();

/**
 * Returns the most frequent family among the blocks of a card. On a tie, returns the first one. A card without blocks
 * has the family `events`.
 */
function familyOf(card: Card): EditorFamily {
  const known = families.get(card);
  if (known) return known;
  const counts = new Map<EditorFamily, number>();
  for (const { family } of card.rows) if (family) counts.set(family, (counts.get(family) ?? 0) + 1);
  const [[most] = ["events"] as const] = [...counts].sort(([, first], [, second]) => second - first);
  families.set(card, most);
  return most;
}

function showFrame(view: OpenView, frame: HTMLElement | null): void {
  const seen = boxOf(view.camera.state.value, view.camera.size.value);
  const map = mapOf(view);
  if (!frame || !map) return;
  const { box, scale } = map;
  frame.style.transform = `translate(${(seen.x - box.x) * scale}px, ${(seen.y - box.y) * scale}px)`;
  frame.style.width = `${seen.width * scale}px`;
  frame.style.height = `${seen.height * scale}px`;
}

function centerOn({ camera }: OpenView, { x, y }: Point): void {
  camera.stop();
  const seen = camera.boxNow();
  camera.state.value = { zoom: camera.zoom, x: x - seen.width / 2, y: y - seen.height / 2 };
}
