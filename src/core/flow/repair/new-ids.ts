/**
 * A part of a flow. `places` describes the position of the part, most exact first. Parts of the file and of the stored
 * flow with an equal place are treated as the same part.
 */
export type Placed = { readonly id: string; readonly places: readonly string[] };

/**
 * Returns unique ids for parts of one kind. If several parts share an id, one of them keeps it: the part at the same
 * place as in the stored flow, or otherwise the first part. Each other part gets the id of the stored part at its
 * place, or its own id with a numeric suffix. A repeated import of a file therefore yields the same ids.
 */
export function uniqueIds(things: readonly Placed[], stored: readonly Placed[] = []): string[] {
  const byId = Map.groupBy(things.keys(), (index) => things[index]?.id ?? "");
  const ids = things.map(({ id }) => id);
  if (byId.size === things.length) return ids;
  const former = new Map(stored.map((one) => [one.id, one]));
  const atPlace = idsByPlace(stored);
  const used = new Set(byId.keys());
  for (const [id, indexes] of byId) {
    const kept = keeperOf(indexes, things, former.get(id));
    let number = 1;
    for (const index of indexes) {
      if (index === kept) continue;
      const thing = things[index];
      let anew = thing && formerAt(thing, atPlace, (one) => used.has(one));
      while (anew === undefined || used.has(anew)) {
        number++;
        // Results refer to stored parts, so another part must not reuse the id of a stored part.
        anew = former.has(`${id}-${number}`) ? undefined : `${id}-${number}`;
      }
      used.add(anew);
      ids[index] = anew;
    }
  }
  return ids;
}

function keeperOf(indexes: readonly number[], things: readonly Placed[], former: Placed | undefined) {
  for (const [exactness, place] of (former?.places ?? []).entries()) {
    const found = indexes.find((index) => things[index]?.places[exactness] === place);
    if (found !== undefined) return found;
  }
  return indexes[0];
}

/** Ids of stored parts. Ids before the index `next` are in use. */
type Queue = { readonly ids: string[]; next: number };

/**
 * Returns the ids of stored parts by place. A part that an earlier import renamed is also indexed by its id without the
 * numeric suffix.
 */
function idsByPlace(stored: readonly Placed[]): ReadonlyMap<string, Queue> {
  const found = new Map<string, Queue>();
  const note = (key: string, id: string): void => {
    const queue = found.get(key);
    if (queue) queue.ids.push(id);
    else found.set(key, { ids: [id], next: 0 });
  };
  for (const { id, places } of stored) {
    const [, base] = /^(.*)-\d+$/s.exec(id) ?? [];
    for (const [exactness, place] of places.entries()) {
      if (exactness === 0) note(exactKey(place), id);
      else if (base !== undefined) note(looseKey(exactness, place, base), id);
    }
  }
  return found;
}

/**
 * Returns the unused id of a stored part at a place, or undefined if there is none. At the exact place any stored part
 * matches. At other places, only parts that an earlier import renamed match. Each used id is skipped permanently,
 * because examining ids again took 3 s for 8,000 stored blocks of one group.
 */
function formerAt(
  { id, places }: Placed,
  atPlace: ReadonlyMap<string, Queue>,
  isUsed: (id: string) => boolean,
): string | undefined {
  for (const [exactness, place] of places.entries()) {
    const queue = atPlace.get(exactness === 0 ? exactKey(place) : looseKey(exactness, place, id));
    for (; queue && queue.next < queue.ids.length; queue.next++) {
      const free = queue.ids[queue.next];
      if (free !== undefined && !isUsed(free)) return free;
    }
  }
  return undefined;
}

function exactKey(place: string): string {
  return `0\0${place}`;
}

function looseKey(exactness: number, place: string, base: string): string {
  return `${exactness}\0${place}\0${base}`;
}
