import type { FlowDocument, FlowGroup } from "../interpreter/flow.ts";
import type { EditorFamily } from "../interpreter/schemas/editor-families.ts";
import { idOf, objectsIn } from "./changes/things.ts";
import { linksOf } from "./references/reach.ts";
import { inWalkingOrder } from "./references/walk.ts";

/**
 * A thumbnail of a flow that is small enough for lists: the positions, block types and connections of groups, without
 * texts.
 */
export type FlowPicture = {
  groups: PicturedGroup[];
  /** Pairs of indexes in `groups`. */
  edges: number[][];
};

export type PicturedGroup = {
  readonly x: number;
  readonly y: number;
  /**
   * One letter per block: the first letter of the block's family, such as `s` for says and `a` for asks. A block of an
   * unsupported type is `-`.
   */
  readonly blocks: string;
};

/** The limits of a picture, which keep its JSON below 2 kB. */
export const pictureBounds = { groups: 40, blocks: 8, edges: 44, coordinate: 9_999, bytes: 2_048 } as const;

/** A group is drawn at half its size on the canvas. */
const scale = 0.5;

/**
 * Returns a picture of a flow with its first groups, in the order in which a chat reaches them, and the connections
 * between these groups.
 */
export function pictureOf(
  flow: Pick<FlowDocument, "events" | "edges"> & { readonly groups: readonly FlowGroup[] },
  familyOf: (type: string) => EditorFamily | undefined,
): FlowPicture {
  const shown = objectsIn(inWalkingOrder(flow)).slice(0, pictureBounds.groups);
  const places = shown.map(({ graphCoordinates: at }) => ({ x: partOf(at, "x"), y: partOf(at, "y") }));
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const indexes = new Map(shown.map((group, index) => [idOf(group), index]));
  const pairs = linksOf(flow).flatMap(({ from, to }) => {
    const [start, end] = [indexes.get(from), indexes.get(to)];
    return start === undefined || end === undefined || start === end ? [] : [`${start},${end}`];
  });
  return {
    groups: shown.map(({ blocks }, index) => ({
      x: bounded((places[index]?.x ?? 0) - left),
      y: bounded((places[index]?.y ?? 0) - top),
      blocks: objectsIn(blocks)
        .slice(0, pictureBounds.blocks)
        .map(({ type }) => familyOf(String(type))?.[0] ?? "-")
        .join(""),
    })),
    edges: [...new Set(pairs)].slice(0, pictureBounds.edges).map((pair) => pair.split(",").map(Number)),
  };
}

function partOf(place: unknown, axis: "x" | "y"): number {
  const value: unknown = typeof place === "object" && place !== null ? Reflect.get(place, axis) : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function bounded(length: number): number {
  return Math.min(Math.round(length * scale), pictureBounds.coordinate);
}
