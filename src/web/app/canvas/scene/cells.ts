import type { Box } from "../contract.ts";
import { overlaps } from "./geometry.ts";

/**
 * The size of the cells into which the world is divided. The rendered elements change only when the camera crosses the
 * border of a cell.
 */
export const cellSize = 256;

/**
 * Objects that overlap more cells than this are in a separate list. An edge across the whole flow would otherwise be in
 * hundreds of cells.
 */
const mostCells = 96;

/** A spatial index of objects by cells. */
export type Grid<Thing> = {
  put(id: string, box: Box, thing: Thing): void;
  drop(id: string): void;
  /** Returns the objects that overlap a box, each once, in the order in which they were added. */
  query(box: Box): Thing[];
};

type Entry<Thing> = { readonly box: Box; readonly thing: Thing; readonly order: number };

export function createGrid<Thing>(): Grid<Thing> {
  const entries = new Map<string, Entry<Thing>>();
  const cells = new Map<number, Set<string>>();
  const wide = new Set<string>();
  let count = 0;

  const drop = (id: string): void => {
    const known = entries.get(id);
    if (!known) return;
    entries.delete(id);
    if (wide.delete(id)) return;
    eachCell(known.box, (cell) => {
      const within = cells.get(cell);
      within?.delete(id);
      if (within?.size === 0) cells.delete(cell);
    });
  };

  return {
    put(id, box, thing) {
      const known = entries.get(id);
      const order = known?.order ?? count++;
      if (known && isSameCells(known.box, box)) {
        entries.set(id, { box, thing, order });
        return;
      }
      drop(id);
      entries.set(id, { box, thing, order });
      if (cellCount(box) > mostCells) {
        wide.add(id);
        return;
      }
      eachCell(box, (cell) => {
        const within = cells.get(cell);
        if (within) within.add(id);
        else cells.set(cell, new Set([id]));
      });
    },
    drop,
    query(box) {
      const found = new Map<string, Entry<Thing>>();
      const take = (id: string): void => {
        const entry = entries.get(id);
        if (entry && overlaps(entry.box, box)) found.set(id, entry);
      };
      if (cellCount(box) > cells.size) for (const id of entries.keys()) take(id);
      else {
        eachCell(box, (cell) => {
          for (const id of cells.get(cell) ?? []) if (!found.has(id)) take(id);
        });
        for (const id of wide) take(id);
      }
      return [...found.values()].sort((one, other) => one.order - other.order).map(({ thing }) => thing);
    },
  };
}

/** Expands a box to the borders of its cells. */
export function toCells({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x / cellSize), Math.floor(y / cellSize)];
  const [right, bottom] = [Math.ceil((x + width) / cellSize), Math.ceil((y + height) / cellSize)];
  return { x: left * cellSize, y: top * cellSize, width: (right - left) * cellSize, height: (bottom - top) * cellSize };
}

export function isSameBox(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

function spanOf({ x, y, width, height }: Box): readonly [number, number, number, number] {
  const cell = (value: number): number => Math.floor(value / cellSize);
  return [cell(x), cell(y), cell(x + width), cell(y + height)];
}

function cellCount(box: Box): number {
  const [left, top, right, bottom] = spanOf(box);
  return (right - left + 1) * (bottom - top + 1);
}

function isSameCells(one: Box, other: Box): boolean {
  const [a, b] = [spanOf(one), spanOf(other)];
  return a.every((value, index) => value === b[index]);
}

function eachCell(box: Box, visit: (cell: number) => void): void {
  const [left, top, right, bottom] = spanOf(box);
  // Encodes both coordinates in one number, for up to two million cells in each direction.
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) visit((y + 2_097_152) * 4_194_304 + x + 2_097_152);
}
