import type { Point, Size } from "../../editor/commands/arrange.ts";
import { snapped } from "./node.ts";

/** Between parts of a flow that nothing joins. */
const gap = 96;
/** As much wider than high as a screen is. */
const shape = 1.6;

/**
 * Where parts lie that nothing joins: beside one another, as far as the widest of them reaches or a screen is wide, and
 * the next ones below.
 */
export function inShelves(parts: readonly Size[]): readonly Point[] {
  const area = parts.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const most = Math.max(Math.sqrt(area * shape), ...parts.map(({ width }) => width));
  let [x, y, bottom] = [0, 0, 0];
  return parts.map(({ width, height }) => {
    if (x > 0 && x + width > most) [x, y] = [0, snapped(bottom + gap)];
    const corner = { x, y };
    x = snapped(x + width + gap);
    bottom = Math.max(bottom, y + height);
    return corner;
  });
}
