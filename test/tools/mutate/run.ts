import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import { changedLines, guardedRooms, prove, provenCommit } from "./changed.ts";
import { makeCopy, passes } from "./copies.ts";
import { replayKnown } from "./known.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { testsOf } from "./tests-of.ts";

/**
 * The program of `npm run mutate -- PLACE...`. It applies one small mutation at a time to files of src/, in copies of
 * the checkout, and runs the tests of the mutated file. A mutation that no test detects survives. A better test should
 * detect it, or `explained.json` should explain why it is harmless. Results are stored, so that an interrupted run can
 * be resumed. With `--known`, only the mutations in `known/` are applied, and each must fail its named test. With
 * `--changed`, lines that were written since the commit in `proven.json` are mutated for at most three minutes, and the
 * run fails if a mutation survives in `guardedRooms`. `--prove` then stores the current commit as proven.
 */
const root = join(import.meta.dir, "../../..");
const { positionals: given, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of mutations per place, selected by the seed. Defaults to all. */
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    /** The maximum number of nearest tests to run. */
    tests: { type: "string", default: "20" },
    /** The time limit for the tests of one mutation. Exceeding it counts as a detection. */
    seconds: { type: "string", default: "60" },
    parallel: { type: "string", default: String(availableParallelism()) },
    /** Discards earlier results. */
    fresh: { type: "boolean", default: false },
    /**
     * Applies the mutations in `known/` instead. Places are prefixes of their files. Without places, all are applied.
     */
    known: { type: "boolean", default: false },
    /** Mutates lines that were written since the commit in `proven.json`. Cannot be combined with places. */
    changed: { type: "boolean", default: false },
    /** With `--changed`, stores the current commit as proven if no mutation survived. */
    prove: { type: "boolean", default: false },
  },
});
/** Tests that start processes or browsers take too long to run for each mutation. */
const slowTests = /^test\/(bench|chaos|platform\/embedded|mutate|hostile)\/|^test\/[^/]+\.test\.ts$/;
const isSlow = (test: string): boolean =>
  slowTests.test(test) || readFileSync(join(root, test), "utf8").includes("inBrowser(");
const pureTests = /^test\/((core|platform\/concurrency)\/|conversations\.test\.ts$)/;
const conversations = "test/conversations.test.ts";
const always = new Set([
  "test/conversations.test.ts",
  "test/events.test.ts",
  "test/platform/ids.test.ts",
  "test/platform/secrets.test.ts",
]);
/** A harmless mutation, identified by its file, the text of its line, and the change. */
type Explanation = {
  readonly path: string;
  readonly line: string;
  readonly was: string;
  readonly becomes: string;
  readonly reason: string;
};
const explained: readonly Explanation[] = await Bun.file(join(import.meta.dir, "explained.json")).json();
const triedPath = join(root, ".bun/mutants.json");

if (options.known) process.exit(await replayKnown(root, { places: given, seconds: Number(options.seconds) }));

/**
 * With `--changed`, no further mutation starts after this time. The tests of the last mutation may use the rest of the
 * three minutes.
 */
const changedMs = 150_000;
const lastChangedSeconds = 30;
const startedAt = performance.now();
const since = options.changed ? provenCommit(root) : undefined;
if (options.changed && since === undefined) {
  process.stdout.write("The commit of test/tools/mutate/proven.json is not in this clone: no change was tried.\n");
  process.exit(0);
}
const changed = since === undefined ? undefined : changedLines(root, since);
const places = changed ? [...guardedRooms, "other rooms"] : given;

type Fate = "killed" | "survived";
type Candidate = Mutant & { readonly path: string };

const tried = new Map<string, Fate>(options.fresh ? [] : readTried());
const copies = mkdtempSync(join(tmpdir(), "parley-mutants-"));
process.on("exit", () => rmSync(copies, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const candidates = changed
  ? guardedFirst([...changed].flatMap(([path, lines]) => candidatesIn(path).filter(({ line }) => lines.has(line))))
  : places.flatMap((place) => sampled(filesAt(place).flatMap(candidatesIn)));
const tests = new Map([...new Set(candidates.map(({ path }) => path))].map((path) => [path, fastTestsOf(path)]));
if (!changed) await leaveOutFailing();
const waiting = candidates.filter((candidate) => !tried.has(keyOf(candidate)));
process.stdout.write(`${candidates.length} changes, ${waiting.length} to try\n`);
await Promise.all(
  Array.from({ length: Number(options.parallel) }, (_, number) => work(makeCopy(root, join(copies, String(number))))),
);
report();
if (changed && options.prove && process.exitCode === 0) prove(root);

/** Sorts mutations in guarded folders first. Within each group, the order is determined by the seed. */
function guardedFirst(all: readonly Candidate[]): readonly Candidate[] {
  const order = (candidate: Candidate) => Bun.hash(`${options.seed} ${keyOf(candidate)}`);
  const inOrder = all.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  return [...inOrder.filter(({ path }) => isGuarded(path)), ...inOrder.filter(({ path }) => !isGuarded(path))];
}

function isGuarded(path: string): boolean {
  return guardedRooms.some((room) => path.startsWith(`${room}/`));
}

function readTried(): [string, Fate][] {
  return existsSync(triedPath) ? JSON.parse(readFileSync(triedPath, "utf8")) : [];
}

function filesAt(place: string): string[] {
  if (/\.tsx?$/.test(place)) return [place];
  const files = [...new Glob("**/*.{ts,tsx}").scanSync(join(root, place))].map((path) => join(place, path));
  return files.filter((path) => !path.endsWith(".d.ts")).sort();
}

function candidatesIn(path: string): Candidate[] {
  const hasElements = path.endsWith(".tsx");
  return mutantsOf(readFileSync(join(root, path), "utf8"), { hasElements }).map((mutant) => ({ ...mutant, path }));
}

function sampled(all: readonly Candidate[]): readonly Candidate[] {
  if (options.sample === undefined) return all;
  const order = (candidate: Candidate) => Bun.hash(`${options.seed} ${keyOf(candidate)}`);
  const chosen = new Set(all.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, Number(options.sample)));
  return all.filter((candidate) => chosen.has(candidate));
}

function keyOf({ path, start, becomes }: Candidate): string {
  const text = readFileSync(join(root, path), "utf8");
  return `${path} ${Bun.hash(text)} ${start} ${becomes}`;
}

/**
 * Returns the tests to run, in this order: the three nearest without a database, the conversations, the remaining tests
 * without a database, and all others.
 */
function fastTestsOf(path: string): string[] {
  const near = testsOf(root, path).filter((test) => always.has(test) || !isSlow(test));
  const pure = near.filter((test) => test !== conversations && pureTests.test(test));
  const others = near.filter((test) => !pureTests.test(test));
  const first = near.includes(conversations) ? [...pure.slice(0, 3), conversations] : [];
  return [...new Set([...first, ...pure, ...others])].slice(0, Number(options.tests));
}

/** Excludes and prints tests that fail without a mutation, because their failures prove nothing. */
async function leaveOutFailing(): Promise<void> {
  const all = [...new Set([...tests.values()].flat())];
  if (all.length === 0 || (await runTests(root, all, 600)) === "survived") return;
  for (const name of all) {
    if ((await runTests(root, [name], 120)) === "survived") continue;
    process.stdout.write(`left out, as it fails without any change: ${name}\n`);
    for (const [path, names] of tests)
      tests.set(
        path,
        names.filter((other) => other !== name),
      );
  }
}

async function work(copy: string): Promise<void> {
  for (let candidate = waiting.shift(); candidate; candidate = waiting.shift()) {
    if (changed && performance.now() - startedAt > changedMs) return;
    const { path, start, end, becomes } = candidate;
    const text = readFileSync(join(root, path), "utf8");
    writeFileSync(join(copy, path), text.slice(0, start) + becomes + text.slice(end));
    const fate = await runTests(copy, tests.get(path) ?? [], changed ? lastChangedSeconds : Number(options.seconds));
    writeFileSync(join(copy, path), text);
    tried.set(keyOf(candidate), fate);
    writeFileSync(triedPath, JSON.stringify([...tried]));
    if (fate === "survived" && !reasonOf(candidate)) process.stdout.write(`${describe(candidate)}\n`);
  }
}

async function runTests(folder: string, names: readonly string[], seconds: number): Promise<Fate> {
  // Runs the nearest tests first, because they detect most mutations.
  for (const group of [names.slice(0, 4), names.slice(4)]) {
    if (group.length === 0) continue;
    if (!(await passes(folder, group, { seconds }))) return "killed";
  }
  return "survived";
}

function reasonOf({ path, was, becomes, line }: Candidate): string | undefined {
  const text = readFileSync(join(root, path), "utf8").split("\n")[line - 1]?.trim();
  return explained.find(
    (entry) => entry.path === path && entry.line === text && entry.was === was && entry.becomes === becomes,
  )?.reason;
}

function describe({ path, line, was, becomes }: Candidate): string {
  const short = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  return `survived: ${path}:${line}  ${short(was)} → ${short(becomes)}`;
}

function report(): void {
  const met = candidates.filter((candidate) => tried.has(keyOf(candidate)));
  const isNew = (candidate: Candidate) => tried.get(keyOf(candidate)) === "survived" && !reasonOf(candidate);
  const rows = places.map((place) => {
    const here = met.filter(({ path }) => isAt(path, place));
    const left = here.filter((candidate) => tried.get(keyOf(candidate)) === "survived");
    const survived = left.filter(isNew).length;
    return [place, here.length, here.length - left.length, survived, left.length - survived];
  });
  for (const candidate of met.filter(isNew)) process.stdout.write(`${describe(candidate)}\n`);
  const table = [["place", "changes", "killed", "survived", "explained"], ...rows];
  for (const row of table) process.stdout.write(`| ${row.join(" | ")} |\n`);
  const failing = met.filter((candidate) => isNew(candidate) && (!changed || isGuarded(candidate.path)));
  process.exitCode = failing.length === 0 ? 0 : 1;
}

function isAt(path: string, place: string): boolean {
  if (place === "other rooms") return !isGuarded(path);
  return path === place || path.startsWith(`${place.replace(/\/$/, "")}/`);
}
