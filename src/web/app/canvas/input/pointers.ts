import type { Gesture, Hit, Point } from "../contract.ts";
import type { OpenView } from "../view.ts";
import { listenToDoubles } from "./doubles.ts";

/**
 * The distance from the canvas's edge at which the camera begins to follow, and its speed at the edge, in pixels per
 * frame.
 */
const reach = 40;
const mostSpeed = 14;

/** Moves the camera while a pointer drags near the edge of the canvas, and calls the listener after each step. */
function keepAtRim(view: OpenView, root: HTMLElement, moved: () => void) {
  let frame = 0;
  let speed: Point = { x: 0, y: 0 };

  const step = (): void => {
    frame = 0;
    if (speed.x === 0 && speed.y === 0) return;
    view.camera.panBy(speed);
    moved();
    frame = requestAnimationFrame(step);
  };

  return {
    follow(at: Point): void {
      const { left, top, right, bottom } = root.getBoundingClientRect();
      speed = { x: pull(at.x, left, right), y: pull(at.y, top, bottom) };
      if (frame === 0 && (speed.x !== 0 || speed.y !== 0)) frame = requestAnimationFrame(step);
    },
    stop(): void {
      speed = { x: 0, y: 0 };
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}

function pull(at: number, from: number, to: number): number {
  const [before, after] = [from + reach - at, at - (to - reach)];
  if (before > 0) return -Math.min(1, before / reach) * mostSpeed;
  return after > 0 ? Math.min(1, after / reach) * mostSpeed : 0;
}

/*
 * The states of the pointers over the canvas.
 *
 *   idle     → pressed   a pointer is pressed, which begins a gesture
 *   pressed  → active    the pointer has moved too far for a tap
 *            → idle      the pointer is released (a tap), a finger rests (opens the menu), or the pointer is cancelled
 *   active   → idle      the pointer is released (ends the gesture) or cancelled
 *   any      → pinching  a second finger is pressed (cancels the gesture)
 *   pinching → idle      all fingers are released
 */

/** The greatest movement of a tap, in pixels. */
const slack = { mouse: 4, touch: 8 } as const;
const longPressMs = 500;

export type PointerHandlers = {
  readonly gestures: () => readonly Gesture[];
  /** The gesture while the middle button or the space bar is pressed, and for a drag that no other gesture handles. */
  readonly pan: Gesture;
  tap(hit: Hit, event: PointerEvent, world: Point): void;
  double(hit: Hit, event: MouseEvent, world: Point): void;
  menu(hit: Hit, at: Point, world: Point): void;
  isPanning(): boolean;
};

type Press = {
  readonly pointerId: number;
  readonly start: Point;
  readonly hit: Hit;
  readonly gesture: Gesture;
  readonly longPress: number;
  isActive: boolean;
  last: PointerEvent;
};

export function listenToPointers(view: OpenView, root: HTMLElement, handlers: PointerHandlers): () => void {
  const fingers = new Map<number, Point>();
  let press: Press | undefined;
  let isPinching = false;
  const rim = keepAtRim(view, root, () => {
    if (press?.isActive) press.gesture.move(view.toWorld(placeOf(press.last)), press.last);
  });

  const doubles = listenToDoubles(
    (target) => target instanceof Node && root.contains(target) && !isFree(target),
    (event, first) => {
      const world = first?.world ?? view.toWorld(placeOf(event));
      handlers.double(first?.hit ?? view.hitAt(world), event, world);
    },
  );

  const release = (): void => {
    if (!press) return;
    clearTimeout(press.longPress);
    rim.stop();
    if (root.hasPointerCapture(press.pointerId)) root.releasePointerCapture(press.pointerId);
    root.classList.remove("is-dragging");
    press = undefined;
  };
  const cancel = (): void => {
    press?.gesture.cancel();
    release();
  };

  const down = (event: PointerEvent): void => {
    if (isFree(event.target)) return;
    view.camera.stop();
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, placeOf(event));
      if (fingers.size > 1) {
        cancel();
        isPinching = true;
        return;
      }
    }
    if (press || isPinching || event.button > 1) return;
    view.focus();
    const start = placeOf(event);
    const world = view.toWorld(start);
    const hit = doubles.again(event) ?? view.hitAt(world);
    const isPan = event.button === 1 || handlers.isPanning();
    const own = isPan ? undefined : handlers.gestures().find((one) => one.begins(hit, event, world));
    // A drag on an object that cannot be dragged, such as an edge or a card of a read-only flow, moves the view. A tap
    // selects the object.
    const gesture = own ?? handlers.pan;
    if (!own) gesture.begins(hit, event, world);
    const rest = (): void => {
      cancel();
      handlers.menu(hit, start, world);
    };
    const longPress = event.pointerType === "touch" ? window.setTimeout(rest, longPressMs) : 0;
    press = { pointerId: event.pointerId, start, hit, gesture, longPress, isActive: false, last: event };
    // Prevents text selection under the pointer and scrolling with the middle button.
    event.preventDefault();
  };

  const move = (event: PointerEvent): void => {
    if (isPinching) {
      pinch(event);
      return;
    }
    if (press?.pointerId !== event.pointerId) {
      if (event.buttons === 0 && event.pointerType !== "touch") hover(event);
      return;
    }
    press.last = event;
    const at = placeOf(event);
    if (!press.isActive) {
      const far = event.pointerType === "touch" ? slack.touch : slack.mouse;
      if (Math.hypot(at.x - press.start.x, at.y - press.start.y) <= far) return;
      press.isActive = true;
      clearTimeout(press.longPress);
      root.setPointerCapture(event.pointerId);
      root.classList.add("is-dragging");
    }
    press.gesture.move(view.toWorld(at), event);
    if (press?.isActive && press.gesture !== handlers.pan) rim.follow(at);
  };

  const up = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    if (isPinching) {
      isPinching = fingers.size > 0;
      return;
    }
    if (press?.pointerId !== event.pointerId) return;
    const { gesture, hit, isActive, start } = press;
    const world = view.toWorld(isActive ? placeOf(event) : start);
    release();
    if (isActive) {
      gesture.end(world, event);
      return;
    }
    gesture.cancel();
    const isDone = handlers.gestures().some((one) => one.tap?.(hit, event, world) === true);
    if (isDone || event.button !== 0) return;
    doubles.once({ hit, at: start, world, time: event.timeStamp });
    handlers.tap(hit, event, world);
  };

  const pinch = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!before || !other) return;
    const now = placeOf(event);
    fingers.set(event.pointerId, now);
    const { left, top } = root.getBoundingClientRect();
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    const middle = { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top };
    view.camera.panBy({ x: (before.x - now.x) / 2, y: (before.y - now.y) / 2 });
    view.camera.zoomTo(view.camera.zoom * factor, middle);
  };

  const hover = (event: PointerEvent): void => {
    const hit = isFree(event.target) ? undefined : view.hitAt(view.toWorld(placeOf(event)));
    const part = hit && "part" in hit && hit.part !== undefined ? `${hit.kind}-${hit.part}` : (hit?.kind ?? "free");
    if (root.dataset["over"] !== part) root.dataset["over"] = part;
    view.hoveredEdge.value = hit?.kind === "edge" ? hit.edge.port.key : undefined;
  };

  const gone = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) isPinching = false;
    if (press?.pointerId === event.pointerId) cancel();
  };
  const menu = (event: MouseEvent): void => {
    if (isFree(event.target)) return;
    event.preventDefault();
    // On a touch screen, the long press opens the menu instead.
    if ("pointerType" in event && event.pointerType === "touch") return;
    const at = { x: event.clientX, y: event.clientY };
    const world = view.toWorld(at);
    handlers.menu(view.hitAt(world), at, world);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !press) return;
    event.stopPropagation();
    cancel();
  };
  const leave = (): void => {
    view.hoveredEdge.value = undefined;
  };

  const listening = new AbortController();
  const { signal } = listening;
  root.addEventListener("pointerdown", down, { signal });
  root.addEventListener("pointermove", move, { signal });
  root.addEventListener("pointerup", up, { signal });
  root.addEventListener("pointercancel", gone, { signal });
  root.addEventListener("pointerleave", leave, { signal });
  root.addEventListener("contextmenu", menu, { signal });
  addEventListener("keydown", key, { signal, capture: true });
  return () => {
    cancel();
    doubles.stop();
    listening.abort();
  };
}

/** Whether an element on the canvas handles its own pointer events, such as a button, a field or the minimap. */
function isFree(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("button, input, textarea, [contenteditable], [data-pointers]") !== null
  );
}

function placeOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX, y: clientY };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
