import { type Signal, signal } from "@preact/signals";
import type { Box, Camera, CameraState, Card, Point } from "../contract.ts";
import { overlaps, unionOf } from "./geometry.ts";

export const zooms = { least: 0.03, most: 3 } as const;
/** The margin around the content that is fitted into the canvas. */
export const margin = 48;
const flightMs = 260;

export type Frames = {
  now(): number;
  /** Calls the function before the next animation frame. Returns a function that cancels the call. */
  next(call: () => void): () => void;
  readonly isMotionReduced: () => boolean;
  /** Returns the covered parts of the canvas, in canvas pixels. */
  readonly covers?: () => readonly Box[];
};

export type MovingCamera = Camera & {
  readonly state: Signal<CameraState>;
  readonly size: Signal<{ readonly width: number; readonly height: number }>;
  /** Returns the time in ms since the last pan, zoom or `lookAt`; infinite before the first one. */
  restedMs(): number;
  /** The visible part of the world. */
  readonly boxNow: () => Box;
  stop(): void;
};

/**
 * Creates the camera. The camera moves immediately when it is panned or zoomed. When it moves to a target, the movement
 * is animated unless motion is reduced.
 */
export function createCamera(
  find: (id: string) => Card | undefined,
  all: () => readonly Box[],
  frames: Frames,
): MovingCamera {
  const state = signal<CameraState>({ x: 0, y: 0, zoom: 1 });
  const size = signal({ width: 0, height: 0 });
  let takeBack: (() => void) | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  // Effects that move the camera also read its position. A subscription would run them again after each move, so these
  // functions use `peek`. Effects that must follow the camera read its signals.
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
  /** Returns the part of the world that a free area of the canvas shows. */
  const worldOf = (free: Box): Box => {
    const { x, y, zoom } = now();
    return { x: x + free.x / zoom, y: y + free.y / zoom, width: free.width / zoom, height: free.height / zoom };
  };
  /**
   * Moves the middle of the box to the middle of the free area. A box that does not fit is shown from its upper left
   * corner.
   */
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
      // If a card does not fit, shows the requested part of it.
      const box = part && whole && whole.height > free.height / zoom ? part : whole;
      if (box && (zoom > now().zoom || !isInside(box, worldOf(free), 0))) center(box, free, zoom);
    },
  };
}

/**
 * Returns the height in pixels that the toolbars cover at the lower edge of the canvas. If both toolbars do not fit
 * side by side, one is above the other (`canvas-acts/acts.css`). The height is at most a third of the canvas, so that a
 * low window still shows some cards.
 */
export function coveredBelow({ width, height }: { width: number; height: number }): number {
  return Math.min(height / 3, width <= 860 ? 124 : 68);
}

/**
 * Returns the free area of a canvas, without the elements that cover it and the toolbars at the lower edge. The
 * covering elements are cut off one by one, the largest first, each in the direction that leaves the largest area. If
 * hardly any area would be left, the covering elements are ignored.
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

/** Returns the part of the world that a camera shows. */
export function boxOf({ x, y, zoom }: CameraState, { width, height }: { width: number; height: number }): Box {
  return { x, y, width: width / zoom, height: height / zoom };
}

/** Returns the camera with another zoom, around a point of the screen. */
export function zoomed({ x, y, zoom: before }: CameraState, wanted: number, at: Point): CameraState {
  const zoom = Math.min(zooms.most, Math.max(zooms.least, wanted));
  return { zoom, x: x + at.x / before - at.x / zoom, y: y + at.y / before - at.y / zoom };
}

/**
 * Returns the camera that centres a box and, if possible, shows the whole box. The zoom is at most 1 and at least
 * `zooms.least`.
 */
export function fitted(box: Box, { width, height }: { width: number; height: number }): CameraState {
  const room = { width: Math.max(1, width - 2 * margin), height: Math.max(1, height - 2 * margin) };
  const wanted = Math.min(1, room.width / Math.max(1, box.width), room.height / Math.max(1, box.height));
  const zoom = Math.max(zooms.least, wanted);
  return { zoom, x: box.x + box.width / 2 - width / zoom / 2, y: box.y + box.height / 2 - height / zoom / 2 };
}

/**
 * Returns all boxes if they fit in one view. Otherwise returns the boxes around the box in the middle, because a single
 * distant card would make all other cards illegible.
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
  // Zoom is interpolated geometrically: halfway from 1 to 4 is 2.
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
