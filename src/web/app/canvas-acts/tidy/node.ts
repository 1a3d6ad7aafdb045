import type { Link } from "../../../../core/editing/references/reach.ts";

/** Something that is laid out: how far it reaches from its corner, the one by which it is lined up with others. */
export type Node = {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
  /** The width of the card itself, if notes beside it reach further: lines begin at its right edge. */
  readonly width?: number;
  readonly height?: number;
};
export type Spot = { readonly x: number; readonly y: number };
/** A line, how far below the upper edge of its card it begins, and how far below that of the other one it ends. */
export type Line = Link & {
  readonly y?: number | undefined;
  readonly into?: number | undefined;
  /** It leads on, and is not drawn. */
  readonly isUnseen?: boolean;
};

/** Between columns, and between cards of one. */
export const gaps = { across: 128, down: 48 } as const;

const grid = 8;

/** Up to the grid on which cards lie. */
export function snapped(value: number): number {
  return Math.ceil(value / grid) * grid;
}

export function snappedDown(value: number): number {
  return Math.floor(value / grid) * grid;
}
