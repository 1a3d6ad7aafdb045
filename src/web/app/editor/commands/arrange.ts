/** An object with a position on the canvas. */
export type Thing = { readonly kind: "group" | "event" | "note" | "frame"; readonly id: string };
export type Point = { readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };
export type Box = Thing & Point & Size;

export type Edge = "left" | "center" | "right" | "top" | "middle" | "bottom";
export type Axis = "across" | "down";

/** Aligns boxes by one side or by their middles, to the outermost box or to the middle of all boxes. */
export function aligned(boxes: readonly Box[], edge: Edge): readonly Box[] {
  const all = around(boxes);
  return boxes.map((box) => ({ ...box, ...placesAt[edge](all, box) }));
}

const placesAt: Readonly<Record<Edge, (all: Point & Size, box: Size) => Partial<Point>>> = {
  left: (all) => ({ x: all.x }),
  center: (all, { width }) => ({ x: all.x + (all.width - width) / 2 }),
  right: (all, { width }) => ({ x: all.x + all.width - width }),
  top: (all) => ({ y: all.y }),
  middle: (all, { height }) => ({ y: all.y + (all.height - height) / 2 }),
  bottom: (all, { height }) => ({ y: all.y + all.height - height }),
};

/**
 * Distributes boxes with equal gaps, between the two outermost boxes. If there is no room, the boxes are placed without
 * gaps and the last boxes move outwards.
 */
export function distributed(boxes: readonly Box[], axis: Axis): readonly Box[] {
  const [at, size] = axis === "across" ? (["x", "width"] as const) : (["y", "height"] as const);
  const sorted = [...boxes].sort((a, b) => a[at] + a[size] / 2 - (b[at] + b[size] / 2));
  const first = sorted[0];
  if (!first) return boxes;
  const end = Math.max(...sorted.map((box) => box[at] + box[size]));
  const taken = sorted.reduce((sum, box) => sum + box[size], 0);
  const gap = Math.max(0, (end - first[at] - taken) / Math.max(1, sorted.length - 1));
  let next = first[at];
  return sorted.map((box) => {
    const moved = { ...box, [at]: next };
    next += box[size] + gap;
    return moved;
  });
}

/** Returns the smallest box around all boxes. For an empty list, the box has no size and is at the origin. */
export function around(boxes: readonly (Point & Size)[]): Point & Size {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

export function overlaps(one: Point & Size, other: Point & Size, gap = 0): boolean {
  return (
    one.x < other.x + other.width + gap &&
    other.x < one.x + one.width + gap &&
    one.y < other.y + other.height + gap &&
    other.y < one.y + one.height + gap
  );
}

/** Whether the middle of `inner` is in `box` or on its border. */
export function holds(box: Point & Size, inner: Point & Size): boolean {
  const [x, y] = [inner.x + inner.width / 2, inner.y + inner.height / 2];
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
