import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { knownMutants } from "../tools/mutate/known.ts";

/**
 * A group of files that only the long run includes, from `test/left-out.json`. `caught` names the tests that still
 * detect a fault. Each file has the titles of tests that `npm test` still runs.
 */
const Group = Type.Object({
  group: Type.String({ minLength: 1 }),
  caught: Type.String({ minLength: 1 }),
  files: Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }))),
});

const root = join(import.meta.dir, "../..");

export const groupsLeftOut = Value.Decode(
  Type.Array(Group),
  JSON.parse(readFileSync(join(root, "test/left-out.json"), "utf8")),
);

/** Each omitted file with the titles of its remaining tests. */
export const filesLeftOut: ReadonlyMap<string, readonly string[]> = new Map(
  groupsLeftOut.flatMap(({ files }) => Object.entries(files)),
);

/** The flags that exclude the omitted files from a run of all files. */
export const leavingOut: readonly string[] = [...filesLeftOut.keys()].map((file) => `--path-ignore-patterns=${file}`);

/** Returns the remaining tests of the omitted files: the files, and the titles of the tests. */
export function stayingTests(): { readonly files: readonly string[]; readonly titles: readonly string[] } {
  const staying = new Map<string, Set<string>>();
  const keep = (file: string, title: string): void => {
    staying.set(file, (staying.get(file) ?? new Set()).add(title));
  };
  for (const [file, titles] of filesLeftOut) for (const title of titles) keep(file, title);
  for (const { test, title, isLong } of knownMutants) {
    if (filesLeftOut.has(test) && isLong !== true) keep(test, title);
  }
  return { files: [...staying.keys()].sort(), titles: [...new Set([...staying.values()].flatMap((all) => [...all]))] };
}

/** Returns a pattern for the full names of tests, which begin with the titles of their groups. */
export function patternOfTitles(titles: readonly string[]): string {
  return `(?:^| )(?:${titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`;
}
