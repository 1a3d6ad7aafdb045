import { expect, test } from "bun:test";
import { join } from "node:path";
import { readText, sectionOf } from "../support/tidy/project.ts";

/**
 * The length up to which a function is clear from its name: six lines, without comments and types. If a warm step runs
 * a longer function, a reader has to open its file.
 */
const charactersByName = 240;

/**
 * Longer pure helpers that a reader does not need to open, each with the reason. A name that ends with a slash is a
 * folder.
 */
const leaves: Readonly<Record<string, string>> = {
  "src/platform/": "It knows nothing of steps: bodies, ids, rate limits, timers, and lists of rows as parameters.",
  "src/core/interpreter/language/": "Text with the values of variables, their size, and random numbers.",
  "src/core/interpreter/rich-text/": "A bubble's tree as HTML and as plain text.",
  "src/core/interpreter/program/variables.ts": "A map of values by id and by name.",
  "src/core/interpreter/step/progress.ts": "One number: how far the chat is.",
  "src/core/replay/inputs.ts": "The step's clock and seed, as text.",
  "src/management/operations/origins.ts": "Five headers, as one object.",
  "src/management/operations/asked-request.ts":
    "The facts of a request that the frame asks for: its id, client, host and cookie.",
  "src/management/operations/access-lines.ts": "The line of the access log, after the response.",
};

/**
 * The maximum number of files to open, and of all files with a function that the step runs. The bounds may only be
 * lowered.
 */
const mostToOpen = 22;
const mostRun = 104;

const longest = await runStep();
const walk = namedInWalk();

test("the documented path of a step lists every file with a long function", () => {
  const counted = Object.keys(longest).filter((path) => (longest[path] ?? 0) > charactersByName);
  const toOpen = counted.filter((path) => !Object.keys(leaves).some((leaf) => path.startsWith(leaf)));
  expect(toOpen.filter((path) => !walk.includes(path))).toEqual([]);
  expect(Object.keys(leaves).filter((leaf) => !counted.some((path) => path.startsWith(leaf)))).toEqual([]);
});

test("the documented path of a step has at most 22 files", () => {
  expect(walk.length).toBeLessThanOrEqual(mostToOpen);
  expect(walk.filter((path) => longest[path] === undefined)).toEqual([]);
});

test("a warm step runs functions from a limited number of files", () => {
  expect(Object.keys(longest).length).toBeLessThanOrEqual(mostRun);
});

/** Returns the length of the longest function that a warm step runs, by file. */
async function runStep(): Promise<Readonly<Record<string, number>>> {
  const program = Bun.spawn([process.execPath, join(import.meta.dir, "../support/step-way-program.ts")], {
    env: process.env,
    stderr: "pipe",
  });
  const [printed, problems, exitCode] = await Promise.all([
    program.stdout.text(),
    program.stderr.text(),
    program.exited,
  ]);
  if (exitCode !== 0) throw new Error(`The service that counts ended with ${exitCode}: ${problems}`);
  return JSON.parse(printed);
}

/** Returns the files of the numbered list in `src/README.md`. */
function namedInWalk(): string[] {
  const section = sectionOf(readText("src/README.md"), "The walk of a warm step");
  const [, list = "", after = ""] = /\n\n(1\. [\s\S]*?)\n\n(Back in )/.exec(section) ?? [];
  if (after === "") throw new Error("The walk of a step is a numbered list, and ends before `Back in`");
  return [...new Set([...list.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path]) => `src/${path}`))];
}
