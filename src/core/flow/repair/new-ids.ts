/** A thing of a file. Its places say where it is, the most exact first: things of two flows at equal places are the same thing. */
export type Placed = { readonly id: string; readonly places: readonly string[] };

/**
 * The ids of things of one kind, each of them once: of several with one id the one at the place of its namesake in the stored flow keeps it, else
 * the first. The others get the id of the stored thing at their place, else their own with a number, so that the same file gives the same ids.
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
      let anew = formerAt(things[index]?.places ?? [], atPlace, (one) => used.has(one), `${id}-`);
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

function idsByPlace(stored: readonly Placed[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, places } of stored) {
    for (const [exactness, place] of places.entries()) {
      const key = `${exactness} ${place}`;
      const ids = found.get(key);
      if (ids) ids.push(id);
      else found.set(key, [id]);
    }
  }
  return found;
}

/** The stored thing at a place: at the exact one any, at another one only a thing that an earlier import gave such an id. */
function formerAt(
  places: readonly string[],
  atPlace: ReadonlyMap<string, readonly string[]>,
  isUsed: (id: string) => boolean,
  begins: string,
): string | undefined {
  for (const [exactness, place] of places.entries()) {
    const ids = atPlace.get(`${exactness} ${place}`) ?? [];
    const free = ids.find((id) => !isUsed(id) && (exactness === 0 || id.startsWith(begins)));
    if (free !== undefined) return free;
  }
  return undefined;
}
