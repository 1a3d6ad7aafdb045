/** The new place of an entry: before another entry, or last without `before`. */
export type Placement = { readonly id: string; readonly before?: string };

/**
 * The moves that turn `from` into `to`, the last one first: each puts an entry before another that is already in its
 * place. There are as few as possible: the longest run of entries in the right order stays. Entries that only `from`
 * has may be anywhere.
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

/** The longest subsequence with growing positions (patience sorting). */
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
