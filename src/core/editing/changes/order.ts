/** The new position of an entry: before another entry, or last if `before` is absent. */
export type Placement = { readonly id: string; readonly before?: string };

/**
 * Returns the shortest list of moves and insertions that turns `from` into `to`. The longest run of entries in the
 * right order stays in place. The list starts from the end: each entry is placed before an entry that is already in
 * place. Entries that occur only in `from` may be anywhere.
 */
export function placements(from: readonly string[], to: readonly string[]): Placement[] {
  if (from.length === to.length && from.every((id, position) => id === to[position])) return [];
  const positions = new Map(from.map((id, position) => [id, position]));
  const kept = longestRun(to.filter((id) => positions.has(id)).map((id) => ({ id, position: positions.get(id) ?? 0 })));
  return to
    .map((id, index): Placement => {
      const next = to[index + 1];
      return next === undefined ? { id } : { id, before: next };
    })
    .filter(({ id }) => !kept.has(id))
    .reverse();
}

type Entry = { readonly id: string; readonly position: number };

/** Returns the longest subsequence with increasing positions (patience sorting). */
function longestRun(entries: readonly Entry[]): Set<string> {
  type Link = Entry & { readonly previous: Link | undefined };
  const ends: Link[] = [];
  for (const entry of entries) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.position ?? 0) < entry.position) low = middle + 1;
      else high = middle;
    }
    ends[low] = { ...entry, previous: ends[low - 1] };
  }
  const run = new Set<string>();
  for (let link = ends.at(-1); link; link = link.previous) run.add(link.id);
  return run;
}
