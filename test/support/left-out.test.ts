import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { knownMutants } from "../tools/mutate/known.ts";
import { filesLeftOut, groupsLeftOut, patternOfTitles, stayingTests } from "./left-out.ts";

const root = join(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = [...new Glob("test/**/*.test.{ts,tsx}").scanSync(root)];

/** Files that every run must include, such as the tests of rights and of data that an older release stored. */
const neverLeftOut = [
  "test/tidy.test.ts",
  "test/docs.test.ts",
  "test/conversations.test.ts",
  "test/management/access/authorization/authorization.test.ts",
  "test/management/access/authorization/foreign-ids.test.ts",
  "test/management/access/authorization/suspended.test.ts",
  "test/management/operations/openapi.test.ts",
  "test/releases/releases.test.ts",
];
/** The maximum number of known mutations that are tested only in the long run. */
const mostKnownChanges = 14;
/** The maximum length of a command-line argument on Linux. */
const mostCharacters = 128 * 1024;

test("the list of omitted tests names each file once and only existing titles", () => {
  const named = groupsLeftOut.flatMap((group) => Object.keys(group.files));
  expect(named.filter((file, at) => named.indexOf(file) !== at || !files.includes(file))).toEqual([]);

  const missing = [...filesLeftOut].flatMap(([file, titles]) => {
    const text = read(file);
    return titles.filter((title) => !['"', "`", "'"].some((quote) => text.includes(quote + title + quote)));
  });
  expect(missing).toEqual([]);
});

test("files with essential tests are never omitted", () => {
  for (const file of neverLeftOut) expect(existsSync(join(root, file))).toBe(true);
  expect(neverLeftOut.filter((file) => filesLeftOut.has(file))).toEqual([]);
});

test("the tests of known mutants are not omitted", () => {
  const ofLongRun = knownMutants.filter((mutant) => mutant.isLong);

  expect(ofLongRun.length).toBeLessThanOrEqual(mostKnownChanges);
  expect(ofLongRun.filter((mutant) => !filesLeftOut.has(mutant.test))).toEqual([]);
  const { titles } = stayingTests();
  const pattern = new RegExp(patternOfTitles(titles));
  const isMade = (mutant: (typeof knownMutants)[number]) =>
    !filesLeftOut.has(mutant.test) || pattern.test(mutant.title);
  expect(knownMutants.filter((mutant) => mutant.isLong !== true && !isMade(mutant))).toEqual([]);
});

test("each folder of tests outside test/tools keeps at least one test", () => {
  const { files: staying } = stayingTests();
  const kept = files.filter((file) => !filesLeftOut.has(file) || staying.includes(file));
  const folders = [...new Set(files.map(dirname))].filter((folder) => !folder.startsWith("test/tools/"));

  expect(folders.filter((folder) => !kept.some((file) => file.startsWith(`${folder}/`)))).toEqual([]);
});

test("docs/contributing.md has a line for each group of files with omitted tests", () => {
  const page = read("docs/contributing.md").replaceAll(/ +/g, " ");
  const rows = groupsLeftOut.map(({ group, caught }) => `| ${group} | ${caught} |`);

  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test("the pattern of the remaining tests matches exactly their titles", () => {
  expect(Buffer.byteLength(patternOfTitles(stayingTests().titles))).toBeLessThan(mostCharacters);

  const pattern = new RegExp(patternOfTitles(["costs $1 (at most)", "two"]));
  for (const name of ["costs $1 (at most)", "a price costs $1 (at most)", "two"]) expect(name).toMatch(pattern);
  for (const name of ["costs $1 (at most) a day", "costs $1 at most", "twenty-two"]) expect(name).not.toMatch(pattern);
});
