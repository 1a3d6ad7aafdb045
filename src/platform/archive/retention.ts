import type { Tree } from "./catalog.ts";
import { walObject } from "./wal.ts";

const dayMs = 24 * 3_600_000;

/**
 * The objects that no restore to a time within the last days needs: base copies before the newest one that is that old,
 * and the log before the oldest copy that stays. The newest copy stays in any case, and so does one that is alone.
 */
export async function outdatedObjects(
  tree: Tree,
  { keepDays, now }: { keepDays: number; now: Date },
): Promise<string[]> {
  const { objects, ranges } = tree;
  const from = now.getTime() - keepDays * dayMs;
  const usable = ranges.filter(({ until }) => until !== undefined);
  const oldest = usable.findLast(({ base }) => Date.parse(base.endedAt) <= from) ?? usable[0];
  if (!oldest) return [];
  const bases = (await objects.list("bases/")).map(({ name }) => name);
  // Copies that were cut off, too. A copy without its `base.json` is ignored, so that file is removed first.
  const before = bases.filter((name) => (name.split("/")[1] ?? "") < oldest.base.name);
  const [heads, parts] = [before.filter(isHead), before.filter((name) => !isHead(name))];
  const log = (await objects.list("wal/")).map(({ name }) => name);
  return [...heads, ...parts, ...log.filter((name) => isBefore(name, oldest.base.startWal))];
}

function isHead(name: string): boolean {
  return name.endsWith("/base.json");
}

/** Notes of a timeline are small, and stay. */
function isBefore(object: string, startWal: string): boolean {
  return !object.endsWith(".history") && object.slice(0, walObject(startWal).length) < walObject(startWal);
}
