import type { Config } from "../../config.ts";
import { type Base, readBase } from "./base.ts";
import { below, type Objects, openObjects } from "./objects.ts";
import { readSeal } from "./sealed.ts";
import { isSegment, nextSegment, walObject } from "./wal.ts";

/** A base copy, and the end of the gapless log that follows the copy. */
export type Range = {
  readonly base: Base;
  /** The time of the last write to `lastWal`. Undefined if the log does not reach the end of the copy. */
  readonly until: Date | undefined;
  /**
   * The last segment before the first gap, or the last segment of the log if the log has no gap. Undefined if the log
   * does not contain the first segment of the copy.
   */
  readonly lastWal: string | undefined;
  /** Whether the archive contains later segments, after a gap. */
  readonly hasGap: boolean;
};

/** The archive of one database. */
export type Tree = {
  readonly id: string;
  readonly objects: Objects;
  /** Sorted from the oldest to the newest. */
  readonly ranges: readonly Range[];
  readonly segments: readonly string[];
  readonly bytes: number;
};

/** Returns the archive of each database that is stored at this location. */
export async function readCatalog(place: string, config: Config): Promise<Tree[]> {
  const all = await openObjects(place, config).list("");
  const ids = new Set(all.flatMap(({ name }) => /^([^/]+)\/(?:wal|bases)\//.exec(name)?.[1] ?? []));
  // The location may be the archive of a single database.
  if (all.some(({ name }) => /^(wal|bases)\//.test(name))) {
    const id = place.replace(/\/$/, "").split("/").at(-1) ?? place;
    return [await readTree(id, openObjects(place, config), all)];
  }
  const trees: Tree[] = [];
  for (const id of [...ids].toSorted()) {
    const own = all.filter(({ name }) => name.startsWith(`${id}/`));
    const objects = own.map(({ name, bytes }) => ({ name: name.slice(id.length + 1), bytes }));
    trees.push(await readTree(id, openObjects(below(place, id), config), objects));
  }
  return trees;
}

type Listed = readonly { readonly name: string; readonly bytes: number }[];

/** Reads the archive of one database. `listed` are its objects, if the caller has already listed them. */
export async function readTree(id: string, objects: Objects, listed?: Listed): Promise<Tree> {
  const all = listed ?? (await objects.list(""));
  const segments = all.map(({ name }) => name.replace(/^wal\//, "")).filter(isSegment);
  const names = all.flatMap(({ name }) => /^bases\/([^/]+)\/base\.json$/.exec(name)?.[1] ?? []);
  const there = new Set(segments);
  const ranges: Range[] = [];
  for (const name of names) {
    const base = await readBase(objects, name);
    if (!base) continue;
    let lastWal: string | undefined;
    for (let next = base.startWal; there.has(next); next = nextSegment(next)) lastWal = next;
    const isWhole = lastWal !== undefined && lastWal >= base.stopWal;
    const until = isWhole && lastWal !== undefined ? await endOf(objects, lastWal) : undefined;
    const newest = segments.at(-1) ?? "";
    ranges.push({ base, until, lastWal, hasGap: newest > (lastWal ?? base.startWal) });
  }
  return { id, objects, ranges, segments, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Returns the time of the last write to a segment. */
async function endOf(objects: Objects, segment: string): Promise<Date | undefined> {
  const object = walObject(segment);
  const file = await objects.get(object);
  return file && new Date(readSeal(object, file).at);
}
