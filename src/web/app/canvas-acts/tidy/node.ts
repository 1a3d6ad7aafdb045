import type { Link } from "../../../../core/editing/references/reach.ts";

/** A thing that is laid out: how far it reaches from its corner, which is used to align it with others. */
export type Node = {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
  /** The width of the card itself, if notes beside the card reach further: lines begin at the card's right edge. */
  readonly width?: number;
  readonly height?: number;
};
export type Spot = { readonly x: number; readonly y: number };
/** A line, with the distance of its start and of its end below the upper edges of their cards. */
export type Line = Link & {
  readonly y?: number | undefined;
  readonly into?: number | undefined;
  /** A connection that leads on without being drawn. */
  readonly isUnseen?: boolean;
};

/** The gaps between columns, and between cards of a column. */
export const gaps = { across: 128, down: 48 } as const;

const grid = 8;

/** Rounds up to the grid on which cards lie. */
export function snapped(value: number): number {
  return Math.ceil(value / grid) * grid;
}

export function snappedDown(value: number): number {
  return Math.floor(value / grid) * grid;
}
