import { type Signal, signal } from "@preact/signals";
import type { Box, Camera, CameraState, Card, Point } from "../contract.ts";
import { overlaps, unionOf } from "./geometry.ts";

export const zooms = { least: 0.03, most: 3 } as const;
/** The free margin around the parts that are fitted into the canvas. */
export const margin = 48;
const flightMs = 260;

export type Frames = {
  now(): number;
  /** Calls before the next picture; gives what takes the call back. */
  next(call: () => void): () => void;
  readonly isMotionReduced: () => boolean;
  /** The parts of the canvas that are covered now, in its pixels. */
  readonly covers?: () => readonly Box[];
};

export type MovingCamera = Camera & {
  readonly state: Signal<CameraState>;
  readonly size: Signal<{ readonly width: number; readonly height: number }>;
  /** How long ago a hand moved it; without end if none did. */
  restedMs(): number;
  /** The part of the world that is in view. */
  readonly boxNow: () => Box;
  stop(): void;
};

/** Where one looks from. It moves at once where a hand moves it, and flies where a command does. */
export function createCamera(
  find: (id: string) => Card | undefined,
  all: () => readonly Box[],
  frames: Frames,
): MovingCamera {
  const state = signal<CameraState>({ x: 0, y: 0, zoom: 1 });
  const size = signal({ width: 0, height: 0 });
  let takeBack: (() => void) | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  // Effects move the camera and ask where it is: they would run again for each of its moves. Those that follow it read
  // its signals.
  const [now, sizeNow] = [() => state.peek(), () => size.peek()];

  const stop = (): void => {
    takeBack?.();
    takeBack = undefined;
  };
  const boxNow = (): Box => boxOf(now(), sizeNow());
  const boxFor = (target: string | Box): Box | undefined => (typeof target === "string" ? find(target)?.box : target);
  const fly = (to: CameraState): void => {
    stop();
    const from = now();
    if (frames.isMotionReduced() || sizeNow().width === 0) {
      state.value = to;
      return;
    }
    const begun = frames.now();
    const step = (): void => {
      const share = Math.min(1, (frames.now() - begun) / flightMs);
      state.value = between(from, to, 1 - (1 - share) ** 3);
      takeBack = share < 1 ? frames.next(step) : undefined;
    };
    takeBack = frames.next(step);
  };
  const fitBox = (box: Box): void => fly(fitted(box, sizeNow()));
  /** The part of the world that is visible, with nothing over it: `free` is that of the canvas. */
  const worldOf = (free: Box): Box => {
    const { x, y, zoom } = now();
    return { x: x + free.x / zoom, y: y + free.y / zoom, width: free.width / zoom, height: free.height / zoom };
  };
  /** Its middle comes to the middle of the free area; of a larger one the beginning is there. */
  const center = (box: Box, free: Box, zoom: number): void => {
    const rim = 24 / zoom;
    const by = (start: number, length: number, [from, room]: readonly [number, number]): number =>
      length + 2 * rim > room / zoom ? start - rim - from / zoom : start + length / 2 - (from + room / 2) / zoom;
    fly({
      zoom,
      x: by(box.x, box.width, [free.x, free.width]),
      y: by(box.y, box.height, [free.y, free.height]),
    });
  };

  return {
    state,
    size,
    boxNow,
    stop,
    get zoom() {
      return now().zoom;
    },
    restedMs: () => frames.now() - movedAt,
    panBy({ x, y }) {
      stop();
      movedAt = frames.now();
      const from = now();
      state.value = { ...from, x: from.x + x / from.zoom, y: from.y + y / from.zoom };
    },
    zoomTo(zoom, at) {
      stop();
      movedAt = frames.now();
      state.value = zoomed(now(), zoom, at ?? { x: sizeNow().width / 2, y: sizeNow().height / 2 });
    },
    fit(ids) {
      const boxes = ids === undefined ? all() : [...ids].flatMap((id) => find(id)?.box ?? []);
      const box = unionOf(showable(boxes, sizeNow()));
      if (box) fitBox(box);
    },
    fitBox,
    lookAt({ x, y, zoom: wanted }) {
      const zoom = Math.min(zooms.most, Math.max(zooms.least, wanted));
      const { width, height } = sizeNow();
      movedAt = frames.now();
      fly({ zoom, x: x - width / 2 / zoom, y: y - height / 2 / zoom });
    },
    reveal(target, part, leastZoom = 0) {
      const whole = boxFor(target);
      const free = freeOf(sizeNow(), frames.covers?.() ?? []);
      const zoom = Math.max(now().zoom, leastZoom);
      // If a card does not fit, show the wanted part of it, if any.
      const box = part && whole && whole.height > free.height / zoom ? part : whole;
      if (box && (zoom > now().zoom || !isInside(box, worldOf(free), 0))) center(box, free, zoom);
    },
  };
}

/**
 * How much at the lower rim lies below the bar of the selection and the canvas's tools, in pixels: if there is no room
 * for both side by side, the bar is above the tools (`canvas-acts/acts.css`). Never more than a third, or nothing could
 * be shown in a low window.
 */
export function coveredBelow({ width, height }: { width: number; height: number }): number {
  return Math.min(height / 3, width <= 860 ? 124 : 68);
}

/**
 * The room that is left of a canvas beside what lies over it, and above the tools at its lower rim: each in turn, the
 * largest first, takes away the strip that leaves the most. Where hardly anything is left they are not counted.
 */
export function freeOf(size: { readonly width: number; readonly height: number }, covers: readonly Box[]): Box {
  const whole = { x: 0, y: 0, width: size.width, height: size.height - coveredBelow(size) };
  const area = ({ width, height }: Box): number => Math.max(0, width) * Math.max(0, height);
  let free: Box = whole;
  for (const cover of [...covers].sort((one, other) => area(other) - area(one))) {
    if (!overlaps(free, cover)) continue;
    const [right, bottom] = [free.x + free.width, free.y + free.height];
    const left: readonly Box[] = [
      { ...free, width: cover.x - free.x },
      { ...free, height: cover.y - free.y },
      { ...free, x: cover.x + cover.width, width: right - cover.x - cover.width },
      { ...free, y: cover.y + cover.height, height: bottom - cover.y - cover.height },
    ];
    free = left.reduce((best, one) => (area(one) > area(best) ? one : best));
  }
  return free.width < size.width / 4 || free.height < size.height / 4 ? whole : free;
}

/** The part of the world that a camera shows. */
export function boxOf({ x, y, zoom }: CameraState, { width, height }: { width: number; height: number }): Box {
  return { x, y, width: width / zoom, height: height / zoom };
}

/** The camera with another zoom, around a point of the screen. */
export function zoomed({ x, y, zoom: before }: CameraState, wanted: number, at: Point): CameraState {
  const zoom = Math.min(zooms.most, Math.max(zooms.least, wanted));
  return { zoom, x: x + at.x / before - at.x / zoom, y: y + at.y / before - at.y / zoom };
}

/** The camera that shows a box whole, in the middle, and nothing larger than it is. */
export function fitted(box: Box, { width, height }: { width: number; height: number }): CameraState {
  const room = { width: Math.max(1, width - 2 * margin), height: Math.max(1, height - 2 * margin) };
  const wanted = Math.min(1, room.width / Math.max(1, box.width), room.height / Math.max(1, box.height));
  const zoom = Math.max(zooms.least, wanted);
  return { zoom, x: box.x + box.width / 2 - width / zoom / 2, y: box.y + box.height / 2 - height / zoom / 2 };
}

/**
 * All of them, where they fit in one view; otherwise those around the middle one, since one card that lies miles away
 * would hide all others.
 */
function showable(boxes: readonly Box[], { width, height }: { width: number; height: number }): readonly Box[] {
  const all = unionOf(boxes);
  const most = { width: width / zooms.least, height: height / zooms.least };
  if (!all || (all.width <= most.width && all.height <= most.height)) return boxes;
  const middle = (axis: "x" | "y"): number =>
    boxes.map((box) => box[axis]).sort((a, b) => a - b)[boxes.length >> 1] ?? 0;
  const [x, y] = [middle("x"), middle("y")];
  return boxes.filter((box) => Math.abs(box.x - x) <= most.width / 2 && Math.abs(box.y - y) <= most.height / 2);
}

function between(from: CameraState, to: CameraState, share: number): CameraState {
  const mix = (a: number, b: number): number => a + (b - a) * share;
  // Zoom is a matter of factors: half the way from 1 to 4 is 2.
  const zoom = from.zoom * (to.zoom / from.zoom) ** share;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), zoom };
}

export function isInside(box: Box, view: Box, free: number): boolean {
  return (
    box.x - free >= view.x &&
    box.y - free >= view.y &&
    box.x + box.width + free <= view.x + view.width &&
    box.y + box.height + free <= view.y + view.height
  );
}
