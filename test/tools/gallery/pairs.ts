import type { Cell, Look, State, Subject } from "./cell.ts";
import { baseLook, directions, roundnesses, surfaces, widths } from "./cell.ts";

/** Returns every subject in each of its states, in the base look. */
export function baseCells(subjects: readonly Subject[]): Cell[] {
  return subjects.flatMap((subject) => subject.states.map((state): Cell => ({ subject, state, look: baseLook })));
}

/** Returns every subject in each of its states, in every look. */
export function allCells(subjects: readonly Subject[]): Cell[] {
  return subjects.flatMap((subject) =>
    subject.states.flatMap((state) => [baseLook, ...allLooks()].map((look): Cell => ({ subject, state, look }))),
  );
}

/**
 * Returns cells of paired subjects that together show every pair of values that the base cells do not show. Each cell
 * is the first with the most missing pairs, so the same subjects always result in the same cells.
 */
export function pairCells(subjects: readonly Subject[]): Cell[] {
  const candidates = subjects
    .filter(({ isPaired }) => isPaired)
    .flatMap((subject) =>
      tellingFirst
        .filter((state) => subject.states.includes(state))
        .flatMap((state) =>
          allLooks().map((look) => ({ cell: { subject, state, look }, pairs: pairsOf({ subject, state, look }) })),
        ),
    );
  const missing = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: Cell[] = [];
  while (missing.size > 0) {
    let best: { cell: Cell; pairs: readonly string[] } | undefined;
    let most = 0;
    for (const candidate of candidates) {
      const count = candidate.pairs.filter((pair) => missing.has(pair)).length;
      if (count <= most) continue;
      [best, most] = [candidate, count];
    }
    if (!best) break;
    chosen.push(best.cell);
    for (const pair of best.pairs) missing.delete(pair);
  }
  return chosen;
}

/** States in the order of preference among equally good cells. States that show more come first. */
const tellingFirst: readonly State[] = [
  ...(["filled", "refused", "focus", "answered", "busy", "offline", "skipped", "ended", "idle"] as const),
];

/** Returns the pairs that a cell shows, except those of the base cells. */
export function pairsOf({ subject, state, look }: Cell): string[] {
  const values = [subject.name, state, look.surface, String(look.roundness), look.direction, String(look.width)];
  const shown = [subject.name, state, baseLook.surface, "", baseLook.direction, String(baseLook.width)];
  const pairs: string[] = [];
  for (const [index, one] of values.entries()) {
    for (const [offset, other] of values.slice(index + 1).entries()) {
      const place = index + 1 + offset;
      if (one === shown[index] && other === shown[place]) continue;
      pairs.push(`${index} ${one} ${place} ${other}`);
    }
  }
  return pairs;
}

function allLooks(): Look[] {
  return surfaces.flatMap((surface) =>
    roundnesses.flatMap((roundness) =>
      directions.flatMap((direction) => widths.map((width) => ({ surface, roundness, direction, width }))),
    ),
  );
}
