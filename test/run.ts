import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { openDataFolder } from "../src/platform/embedded/folders.ts";
import { type EmbeddedServer, startServer } from "../src/platform/embedded/server.ts";
import { createLog } from "../src/platform/observing/log.ts";
import { inBothBrowsers } from "./support/both-browsers.ts";
import { bundlePrograms } from "./support/bundle-programs.ts";
import { isLong } from "./support/campaigns.ts";
import { contractGaps, contractVariable } from "./support/contract.ts";
import {
  type Counts,
  countTests,
  failedFilesIn,
  failuresIn,
  faultsOf,
  filesIn,
  withSecondAttempt,
} from "./support/counts.ts";
import { findOtherBrowser } from "./support/find-browser.ts";
import { filesLeftOut, leavingOut, patternOfTitles, stayingTests } from "./support/left-out.ts";
import { serverVariable, testConnections, testSettings } from "./support/postgres.ts";
import { processorSeconds } from "./support/processor-time.ts";
import { watchProcessorUse } from "./support/processor-use.ts";
import { programsVariable } from "./support/programs.ts";
import { makeScratchFolder } from "./support/scratch.ts";

/**
 * Runs `npm test`: format, lint, types, and the tests on one database server. The files of `test/left-out.json` run
 * only in the long run, except for the tests that they list. With names of test files, runs only these files, but
 * completely. The last line is the count.
 */
const root = join(import.meta.dir, "..");
/** Long enough for a slow machine that runs four files on two cores, and short enough to find a hanging test. */
const testTimeoutMs = isLong ? 3_600_000 : 120_000;
/**
 * Two more than the cores of a small machine, because much of the suite waits for processes, databases and pages. On
 * two cores, 8,433 tests took 873 s with three workers, 763 s with four, and 950 s of processor time. The files of a
 * worker share its modules: loading and compiling the service for each file took two fifths of the processor time of
 * its tests.
 */
const workers = process.env["PARLEY_TEST_WORKERS"] ?? "4";
/**
 * In unattended runs, the files of failed tests run a second time, because hundreds of tests use real processes and
 * browsers. The second attempt is a new process. With `--retry`, it would share the databases and the memory of the
 * first attempt, whose unfinished work fails when the databases are closed. A file with a counterexample of a property
 * is not repeated. The failed tests are named at the end.
 */
const isUnattended = process.env["CI"] === "true";
/** If this many files fail, the cause is a general fault, and the files are not repeated. */
const mostFilesAgain = 20;

const checks = [
  { name: "format", command: ["biome", "check", "--linter-enabled=false", "--error-on-warnings", "."] },
  { name: "lint", command: ["biome", "lint", "--error-on-warnings", "."] },
  { name: "types", command: ["tsc", "--noEmit"] },
];

/** A flag in place of names. Runs the files that run in both browsers, but only in the full browser. */
const fullBrowserFlag = "--full-browser";
/**
 * A flag before parts of file names. Runs the tests of the matching files that belong to a whole run, and prints their
 * cost.
 */
const shareFlag = "--share";
/** A flag in place of names. Runs every test, and fails if any operation or error is not covered by a test. */
const everythingFlag = "--everything";
const names = process.argv.slice(2);
/** The line before the count of a whole run. */
const announcement = `Left to the long run: ${filesLeftOut.size} files (npm run test:long -- --everything; npm test -- FILE runs one).`;

type Environment = Readonly<Record<string, string>>;

/** Tests that passed only at the second attempt. */
const faults: string[] = [];
/** The output of each failed check and test, which is repeated at the end. */
const failures: string[] = [];
/** How long each file took, including waiting, in milliseconds. */
const fileTimes = new Map<string, number>();
const running = new Set<Bun.Subprocess>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });
}

const secondsOfKinds = watchProcessorUse();
const folder = makeScratchFolder();
const programs = join(folder, "programs");
const server = await startDatabase();
const results = await runAll(names).finally(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
process.exitCode = report(results);

async function startDatabase(): Promise<EmbeddedServer> {
  return await startServer({
    folders: openDataFolder(join(folder, "data")),
    connections: testConnections,
    log: createLog("warn"),
    settings: testSettings,
    onLost: (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    },
  });
}

async function runAll(names: readonly string[]): Promise<Counts[]> {
  mkdirSync(contractFolder(), { recursive: true });
  await bundlePrograms(programs);
  await writeCallTypes();
  if (names[0] === fullBrowserFlag) return await runInOtherBrowser();
  if (names[0] === shareFlag) return await runShare(names.slice(1));
  if (names.length > 0 && names[0] !== everythingFlag) return [await runTests(names)];
  const checked = await Promise.all(checks.map(runCheck));
  // A person fixes failed checks first. An unattended run continues, because finding all faults is worth the time.
  if (!isUnattended && checked.some(({ failed }) => failed > 0)) return checked;
  if (names[0] === everythingFlag)
    return [...checked, await runTests([], {}, []), checkContract(), ...(await runInOtherBrowser())];
  const first = await runTests([]);
  // Both run in parallel, because the few files of the other browser wait for pages more than they use a processor.
  const [staying, ofOtherBrowser] = await Promise.all([runStaying(), runInOtherBrowser()]);
  return [...checked, first, staying, ...ofOtherBrowser];
}

/**
 * Runs the files whose names contain one of the parts, as in a whole run. Of a file that is left to the long run, only
 * the tests that stay in `npm test` run.
 */
async function runShare(parts: readonly string[]): Promise<Counts[]> {
  const isNamed = (file: string): boolean => parts.some((part) => file.includes(part));
  const files = [...new Glob("test/**/*.test.{ts,tsx}").scanSync(root)].filter(isNamed).sort();
  const whole = files.filter((file) => !filesLeftOut.has(file)).map((file) => `./${file}`);
  return [await runTests(whole), await runStaying(isNamed)];
}

/** Runs the tests that stay in `npm test` although the rest of their file is left to the long run. */
async function runStaying(isNamed: (file: string) => boolean = () => true): Promise<Counts> {
  const { titles, ...staying } = stayingTests();
  const files = staying.files.filter(isNamed);
  process.stdout.write(`\nOf ${filesLeftOut.size} files that are left to the long run, ${titles.length} tests:\n\n`);
  return await runTests(
    files.map((file) => `./${file}`),
    {},
    [`--test-name-pattern=${patternOfTitles(titles)}`],
  );
}

/** Writes the types of the builder's calls, which are not in the repository. */
async function writeCallTypes(): Promise<void> {
  const writer = Bun.spawn([process.execPath, join(root, "src/build/sdk/app-operations.ts")], {
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await writer.exited) !== 0) throw new Error("The types of the builder's calls could not be written");
}

/** Repeats the tests of browser-dependent behaviour in the other browser, if there is one. */
async function runInOtherBrowser(): Promise<Counts[]> {
  const browser = findOtherBrowser();
  if (browser === undefined) return [];
  process.stdout.write(`\nIn ${browser}, too: ${inBothBrowsers.join(", ")}\n\n`);
  return [await runTests(inBothBrowsers, { CHROMIUM_PATH: browser })];
}

async function runCheck({ name, command: [program = "", ...flags] }: (typeof checks)[number]): Promise<Counts> {
  const check = Bun.spawn([process.execPath, join(root, "node_modules/.bin", program), ...flags], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(check);
  const [exitCode, output, problems] = await Promise.all([check.exited, check.stdout.text(), check.stderr.text()]);
  running.delete(check);
  return verdict(name, exitCode === 0 ? "" : output + problems);
}

/** Runs the named files. Without names, runs all files except those that are left to the long run. */
async function runTests(
  names: readonly string[],
  environment: Environment = {},
  selection: readonly string[] = names.length > 0 ? [] : leavingOut,
): Promise<Counts> {
  const timings = timingsOf(names);
  const flags = ["--no-isolate", `--timings=${timings}`, "--update-timings"];
  const first = await runFiles([...flags, ...selection, ...names], environment);
  noteFileTimes(timings, first.printed);
  const { again, final } = failedFilesIn(first.printed);
  if (!isUnattended || again.length === 0 || again.length > mostFilesAgain) {
    noteFailures("What failed", first.printed);
    return countTests(first.printed, first.exitCode);
  }
  if (final.length > 0)
    process.stdout.write(`\nA property has a counterexample, and fails at once: ${final.join(", ")}\n`);
  process.stdout.write(`\nOnce more, with processes and databases of their own: ${again.join(", ")}\n\n`);
  const second = await runFiles([...selection, ...again.map((file) => `./${file}`)], environment);
  noteFailures("What failed at the first attempt", first.printed);
  noteFailures("What failed at the second attempt, too", second.printed);
  faults.push(...faultsOf(first.printed, second.printed));
  return withSecondAttempt(first.printed, second.printed, second.exitCode);
}

function noteFailures(title: string, printed: string): void {
  const failed = failuresIn(printed);
  if (failed !== "") failures.push(`${title}:\n\n${failed}\n`);
}

/** Runs `bun test`, prints its output and returns it. */
async function runFiles(
  args: readonly string[],
  environment: Environment,
): Promise<{ printed: string; exitCode: number }> {
  const flags = [`--parallel=${workers}`, `--timeout=${testTimeoutMs}`];
  const tests = Bun.spawn([process.execPath, "test", ...flags, ...args], {
    cwd: root,
    env: {
      ...process.env,
      ...environment,
      TMPDIR: folder,
      [serverVariable]: server.url,
      [contractVariable]: contractFolder(),
      [programsVariable]: programs,
    },
    stdout: "inherit",
    stderr: "pipe",
  });
  running.add(tests);
  const output: Uint8Array[] = [];
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    output.push(chunk);
  }
  const exitCode = await tests.exited;
  running.delete(tests);
  return { printed: Buffer.concat(output).toString(), exitCode };
}

/**
 * Returns the file with the durations of test files. With these durations, the longest files start first. They come
 * from an earlier run on this machine, or otherwise from test/timings.json. A run of some files does not change them.
 */
function timingsOf(names: readonly string[]): string {
  const kept = join(root, ".bun/timings.json");
  if (names.length > 0) return join(folder, `timings-${Bun.randomUUIDv7()}.json`);
  mkdirSync(dirname(kept), { recursive: true });
  if (!existsSync(kept)) copyFileSync(join(root, "test/timings.json"), kept);
  return kept;
}

function checkContract(): Counts {
  return verdict("contract", contractGaps(contractFolder()).join("\n"));
}

function contractFolder(): string {
  return join(folder, "contract");
}

/** Returns the counts of a check. It counts as one test, which passes if there are no problems. */
function verdict(name: string, problems: string): Counts {
  if (problems === "") process.stdout.write(`${name}: ok\n`);
  else failures.push(`${name}: failed\n${problems}\n`);
  return problems === "" ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

function report(results: readonly Counts[]): number {
  const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0);
  const skipped = sum("skipped");
  const end = skipped === 0 ? "" : `, ${skipped} skipped`;
  if (failures.length > 0) process.stdout.write(`\n${failures.join("\n")}`);
  if (faults.length > 0)
    process.stdout.write(`\nFaults to mend, as these tests passed only at the second attempt:\n${faults.join("\n")}\n`);
  process.stdout.write(
    `\n${costs()}${names.length === 0 ? `${announcement}\n` : ""}${sum("passed")} passed, ${sum("failed")} failed${end}\n`,
  );
  return sum("failed") === 0 ? 0 : 1;
}

/**
 * Returns the processor time of a run, which does not depend on other work on the machine. The operating system's total
 * leaves out processes that nobody waits for, such as browsers. The times by kind include all processes.
 */
function costs(): string {
  const spent = processorSeconds();
  if (spent === undefined) return "";
  const kinds = [...secondsOfKinds()].toSorted(([, one], [, other]) => other - one);
  const sum = kinds.reduce((total, [, seconds]) => total + seconds, 0);
  const lines = kinds.map(([kind, seconds]) => `  ${seconds.toFixed().padStart(5)} s ${kind}\n`).join("");
  return (
    `Took ${(performance.now() / 1_000).toFixed()} s, and ${spent.toFixed(1)} s of processor time. With browsers, ${sum.toFixed()} s:\n` +
    `${lines}${longestFiles()}`
  );
}

/**
 * Notes the times of the files in the output. The timings also contain files that did not run, as earlier runs measured
 * them.
 */
function noteFileTimes(timings: string, printed: string): void {
  if (!existsSync(timings)) return;
  const { files } = JSON.parse(readFileSync(timings, "utf8"));
  for (const file of filesIn(printed)) fileTimes.set(file, files[file] ?? 0);
}

function longestFiles(): string {
  const longest = [...fileTimes].toSorted(([, one], [, other]) => other - one).slice(0, 10);
  const lines = longest.map(([file, ms]) => `  ${(ms / 1_000).toFixed().padStart(5)} s ${file}\n`);
  return lines.length === 0 ? "" : `The files that took longest:\n${lines.join("")}`;
}
