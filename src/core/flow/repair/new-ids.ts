/**
 * A thing of a file. Its places say where it is, the most exact first: things of two flows at equal places are the same
 * thing.
 */
export type Placed = { readonly id: string; readonly places: readonly string[] };

/**
 * The ids of things of one kind, each of them once: of several with one id the one at the place of its namesake in the
 * stored flow keeps it, else the first. The others get the id of the stored thing at their place, else their own with a
 * number, so that the same file gives the same ids.
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
        // Results name the stored things: another thing must not take their ids.
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

/** Ids of stored things of which those before `next` are in use. */
type Queue = { readonly ids: string[]; next: number };

/** The stored things by their places. Those that an earlier import numbered are also found by their number's id. */
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
 * The stored thing at a place: at the exact one any, at another one only a thing that an earlier import gave such an
 * id. An id that is used stays so: none is looked at twice, where 8,000 stored blocks of one group took 3 s.
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
