import type { Change, ChangeSet } from "../../../../core/editing/changes/change.ts";

/** The service's limits for one change set, with room for the envelope. */
export const changesPerSet = 1_000;
const bytesPerSet = 900_000;

/**
 * Splits an action into change sets that the service accepts. Only the largest actions, such as a replacement in a
 * thousand texts, need more than one set.
 */
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

/** The service's limits for one request. */
const setsPerRequest = 50;
const bytesPerRequest = 1_000_000;

/** Returns the first pending change sets that fit into one request. */
export function fitting(pending: readonly ChangeSet[]): readonly ChangeSet[] {
  const sets: ChangeSet[] = [];
  let bytes = 0;
  for (const set of pending.slice(0, setsPerRequest)) {
    bytes += JSON.stringify(set).length;
    if (sets.length > 0 && bytes > bytesPerRequest) break;
    sets.push(set);
  }
  return sets;
}
