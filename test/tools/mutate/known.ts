import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCopy, passes } from "./copies.ts";

/** A handwritten mutation that removes a guard, and the test that must detect it. */
export type KnownMutant = {
  readonly guard: string;
  readonly path: string;
  /** A text that occurs once in the file, and its replacement. */
  readonly was: string;
  readonly becomes: string;
  readonly test: string;
  /** The test's title without the titles of its groups. */
  readonly title: string;
  /** Whether only the long run includes this test, because it takes too long for `npm test`. */
  readonly isLong?: boolean;
};

/** Each file contains the mutations of one folder of `src/`, or of one part of `src/web`. */
const folderOfKnown = join(import.meta.dir, "known");
export const knownMutants: readonly KnownMutant[] = readdirSync(folderOfKnown)
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(join(folderOfKnown, name), "utf8")));

/** Returns the file's text with the mutation. Throws unless `was` occurs exactly once. */
export function mutatedText(text: string, { guard, path, was, becomes }: KnownMutant): string {
  const [before, after, ...further] = text.split(was);
  if (before === undefined || after === undefined || further.length > 0) {
    throw new Error(`${path}: the text of "${guard}" must occur exactly once`);
  }
  return before + becomes + after;
}

/**
 * Applies each known mutation of the `places`, by default of all places, in a copy, and prints whether its test failed.
 * Returns the exit code, which is 1 if a test passed with its mutation, or failed without the mutation.
 */
export async function replayKnown(
  root: string,
  { places, seconds }: { readonly places: readonly string[]; readonly seconds: number },
): Promise<number> {
  const chosen = knownMutants.filter(
    ({ path }) => places.length === 0 || places.some((place) => path.startsWith(place)),
  );
  const folder = mkdtempSync(join(tmpdir(), "parley-known-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  const copy = makeCopy(root, join(folder, "0"));
  let survived = 0;
  for (const mutant of chosen) {
    const { guard, path, test, title } = mutant;
    const runTest = () => passes(copy, [test], { seconds, pattern: patternOf(title) });
    const text = readFileSync(join(root, path), "utf8");
    const passedBefore = await runTest();
    writeFileSync(join(copy, path), mutatedText(text, mutant));
    const fate = !passedBefore ? "fails without the change" : (await runTest()) ? "survived" : "killed";
    writeFileSync(join(copy, path), text);
    if (fate !== "killed") survived++;
    process.stdout.write(`${fate}: ${path}: ${guard}\n`);
  }
  process.stdout.write(`${chosen.length} known changes, ${chosen.length - survived} killed\n`);
  return survived === 0 ? 0 : 1;
}

/** Returns a pattern that matches only the end of a test's full name, which begins with the titles of its groups. */
function patternOf(title: string): string {
  return `${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
}
