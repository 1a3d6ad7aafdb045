import { effect, useComputed } from "@preact/signals";
import { Maximize, Minus, Workflow } from "lucide";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useBlockTypes } from "../forms/reading.ts";
import { addIcons, IconButton, later, Menu, Skeleton } from "../ui/index.ts";
import canvasWords from "../words/en/canvas.json";
import { useWords } from "../words/index.ts";
import { Cards, cardElementId, rowElementId } from "./cards.tsx";
import type { CanvasProps } from "./contract.ts";
import { Edges } from "./edges.tsx";
import { followWalk } from "./following.ts";
import { useInput } from "./input/use-input.ts";
import { wheelKinds } from "./input/wheel.ts";
import { setWheelKind, wheelKind } from "./input/wheel-kind.ts";
import { followShift } from "./moving.ts";
import { chosenBoxes, fitChosen } from "./place/fit.ts";
import { placeFirst } from "./place/place.ts";
import { isRowOf } from "./row-selection.ts";
import { boxOf, isInside } from "./scene/camera.ts";
import { sizeStyle } from "./scene/geometry.ts";
import { useEffectNow } from "./use-effect-now.ts";
import type { OpenView } from "./view.ts";
import "./tints.css";
import "./canvas.css";

export type { Overlay } from "./contract.ts";
export { createView, type OpenView } from "./view.ts";

// Loaded after the cards: the painted view when the author zooms out, and the minimap when some cards are outside the
// view.
const FarLayer = later(async () => (await import("./painting/far-layer.tsx")).FarLayer);
const Minimap = later(async () => (await import("./painting/minimap.tsx")).Minimap);

/**
 * Renders a flow. While the camera moves, the rendered elements change only when the camera crosses the border of a
 * cell. In all other animation frames, only the positions of the world and the background are set.
 */
export function Canvas(props: CanvasProps & { readonly view: OpenView }) {
  const { view, overlays, marks, onAct } = props;
  const words = useWords(canvasWords);
  const root = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const types = useBlockTypes();
  view.types.value = types;
  useLayoutEffect(() => {
    view.overlays.value = overlays ?? [];
    view.marks.value = marks;
    view.act.value = onAct;
  }, [overlays, marks, onAct]);
  useSize(view, root);
  useInput(root, props);
  useEffectNow(() => followWalk(view), [view]);
  useEffectNow(() => moveWorld(view, ground.current, world.current), [view]);
  useLayoutEffect(() => effect(followShift(view)), [view]);
  const active = useComputed(() => props.active?.value ?? activeElement(view)).value;
  const count = useComputed(() => view.source.editor.store.structure.value.groups.length).value;
  const isFar = view.isFar.value;
  const wasFar = useRef(isFar);
  wasFar.current ||= isFar;
  const isMapNeeded = useComputed(() => !isAllInView(view)).value;
  const isReady = types !== undefined;
  return (
    <div
      ref={root}
      class={`canvas ${isFar ? "is-far" : ""}`}
      style={sizeStyle}
      {...{
        role: "application",
        tabIndex: 0,
        "data-content": true,
        "aria-roledescription": words.role,
        "aria-label": words.name({ bot: view.source.bot.value.name, groups: count }),
        ...(active !== undefined && { "aria-activedescendant": active }),
      }}
    >
      <div class="canvas-ground" ref={ground} />
      {isReady && wasFar.current && <FarLayer view={view} />}
      <div class="canvas-world" ref={world}>
        {overlays?.map(({ key, layer, render }) => layer === "below" && <OverlayView key={key} render={render} />)}
        {isReady && <Edges view={view} />}
        {isReady && <Cards view={view} />}
        {overlays?.map(({ key, layer, render }) => layer === "above" && <OverlayView key={key} render={render} />)}
        <Guides view={view} />
      </div>
      {!isReady && <Skeleton rows={6} label={words.loading} />}
      {isReady && <Tools view={view} />}
      {isReady && isMapNeeded && <Minimap view={view} />}
    </div>
  );
}

function isAllInView({ scene, camera }: OpenView): boolean {
  const { bounds } = scene.value;
  const seen = boxOf(camera.state.value, camera.size.value);
  return bounds === undefined || isInside(bounds, seen, -1);
}

/**
 * Moves the world, and the dots of the background in a separate layer. With 10,000 blocks, a separate layer for the
 * dots reduces a frame of panning at a high zoom from 3.4 to 2.8 ms, and increases a frame of dragging fifty cards from
 * 8.4 to 8.8 ms. A separate layer for the cards made dragging 14 % slower and saved only 0.1 ms of panning.
 */
function moveWorld(view: OpenView, ground: HTMLElement | null, world: HTMLElement | null): void {
  const { x, y, zoom } = view.camera.state.value;
  if (!ground || !world) return;
  world.style.transform = `scale(${zoom}) translate(${-x}px, ${-y}px)`;
  // The dots of the background move with the camera. At a low zoom, their spacing is doubled until they are not too
  // dense.
  const step = 24 * zoom * 2 ** Math.max(0, Math.ceil(Math.log2(0.6 / zoom)));
  ground.style.backgroundSize = `${step}px ${step}px`;
  ground.style.transform = `translate(${(-x * zoom) % step}px, ${(-y * zoom) % step}px) translateZ(0)`;
}

type OverlayViewProps = { readonly render: () => ReturnType<NonNullable<CanvasProps["overlays"]>[number]["render"]> };

function OverlayView({ render }: OverlayViewProps) {
  return <>{render()}</>;
}

/** Returns the id of the canvas's focused element; undefined if no element has the focus. */
function activeElement(view: OpenView): string | undefined {
  const now = view.selection.focus.value;
  const { cards } = view.scene.value;
  if (!now) return undefined;
  if (now.kind === "group" || now.kind === "event") return cards.has(now.id) ? cardElementId(now.id) : undefined;
  const blockId = now.kind === "item" ? (now.blockId ?? "") : now.id;
  const row = view.scene.value.rowOf(blockId)?.card.rows.find((one) => isRowOf(one, now));
  return row && rowElementId(row);
}

/** Passes the size of the canvas to the camera, and sets the initial view once the size is known. */
function useSize(view: OpenView, root: { readonly current: HTMLDivElement | null }): void {
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const read = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      const before = view.camera.size.value;
      if (width === before.width && height === before.height) return;
      view.camera.size.value = { width, height };
    };
    read();
    view.element.value = element;
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => {
      observer.disconnect();
      view.element.value = undefined;
    };
  }, [view]);
  useEffectNow(() => placeFirst(view), [view]);
}

addIcons({ maximize: Maximize, minus: Minus, workflow: Workflow });

/** The overlay of a drag: the alignment guides, and the selection box. */
function Guides({ view }: { readonly view: OpenView }) {
  const box = view.marquee.value;
  return (
    <>
      {view.lines.value.map(({ axis, at, from, to }) => (
        <div
          key={axis}
          class={`canvas-guide is-${axis}`}
          style={
            axis === "x"
              ? { left: `${at}px`, top: `${from}px`, height: `${to - from}px` }
              : { top: `${at}px`, left: `${from}px`, width: `${to - from}px` }
          }
        />
      ))}
      {box && (
        <div
          class="canvas-marquee"
          style={{ left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` }}
        />
      )}
    </>
  );
}

function Tools({ view }: { readonly view: OpenView }) {
  const words = useWords(canvasWords);
  const { camera } = view;
  // The text is bound to the signals, so that zooming does not render the buttons again.
  const percent = useComputed(() => Math.round(camera.state.value.zoom * 100));
  const label = useComputed(() => words.zoomTo({ percent: percent.value }));
  return (
    <div class="canvas-tools" data-pointers {...{ role: "group", "aria-label": words.tools }}>
      <IconButton icon="minus" size="s" label={words.zoomOut} onPress={() => camera.zoomTo(camera.zoom / 1.25)} />
      <button type="button" class="canvas-zoom" aria-label={label} onClick={() => camera.zoomTo(1)}>
        {percent} %
      </button>
      <IconButton icon="plus" size="s" label={words.zoomIn} onPress={() => camera.zoomTo(camera.zoom * 1.25)} />
      <IconButton icon="maximize" size="s" label={words.fit} onPress={() => camera.fit()} />
      <Menu
        label={words.wheel}
        icon="ellipsis"
        isIconOnly
        kind="quiet"
        items={() => [
          {
            label: words.fitSelection,
            isDisabled: chosenBoxes(view).length === 0,
            onPress: () => fitChosen(view),
          },
          { kind: "line" },
          ...wheelKinds.map((kind) => ({
            label: `${words.wheel}: ${words.wheels[kind]}`,
            ...(wheelKind.value === kind && { icon: "check" }),
            onPress: () => setWheelKind(kind),
          })),
        ]}
      />
    </div>
  );
}
