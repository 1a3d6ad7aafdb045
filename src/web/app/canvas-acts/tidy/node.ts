import type { Link } from "../../../../core/editing/references/reach.ts";

/** An object in a layout, with its extent from the corner that is used for alignment. */
export type Node = {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
  /**
   * The width of the card itself, without the notes beside it. Absent for a frame. Edges begin at the right side of the
   * card.
   */
  readonly width?: number;
  readonly height?: number;
};
export type Spot = { readonly x: number; readonly y: number };
/** An edge, with the vertical offsets of its start and end from the upper sides of their cards. */
export type Line = Link & {
  readonly y?: number | undefined;
  readonly into?: number | undefined;
  /** Whether the connection is not drawn, as for a jump. */
  readonly isUnseen?: boolean;
};

/** The gaps between columns, and between the cards of a column. */
export const gaps = { across: 128, down: 48 } as const;

const grid = 8;

/** Rounds up to the grid of the cards. */
export function snapped(value: number): number {
  return Math.ceil(value / grid) * grid;
}

export function snappedDown(value: number): number {
  return Math.floor(value / grid) * grid;
}
