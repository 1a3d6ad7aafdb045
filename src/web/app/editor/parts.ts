import type { Change } from "../../../editing/change.ts";

/** Bounds of one set of the service, with room for what is around the changes. */
export const changesPerSet = 1_000;
const bytesPerSet = 900_000;

/** An act as sets that the service takes: of all but the largest, such as replacing in a thousand texts, one. */
export function inParts(changes: readonly Change[]): readonly (readonly Change[])[] {
  if (changes.length < 2) return [changes];
  const parts: Change[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    const size = JSON.stringify(change).length;
    const last = parts.at(-1);
    if (!last || last.length >= changesPerSet || bytes + size > bytesPerSet) {
      parts.push([change]);
      bytes = size;
    } else {
      last.push(change);
      bytes += size;
    }
  }
  return parts;
}
