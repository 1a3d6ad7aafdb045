import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong, sizeOf } from "../../support/campaigns.ts";
import { programsVariable } from "../../support/programs.ts";
import { environmentOfCopies, makeCopy } from "../../tools/mutate/copies.ts";
import { reportOf } from "../campaign.ts";
import { Violation } from "../violation.ts";
import { type Change, mends } from "./mends.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

// Checks that the models find the faults for which they were written. Each fix is reverted in a copy of the checkout,
// and new seeds are drawn.

const root = join(import.meta.dir, "../../..");
const seedsOfMend = sizeOf({ short: 0, long: 10, variable: "PARLEY_MODEL_TAKEN_BACK" });
/** A seed must find the fault within this processor time. */
const minutes = 1;
/** The time limit of a run, which allows for other work on the machine. */
const patienceMs = 10 * minutes * 60_000;

setDefaultTimeout(10 * patienceMs);

test.each(mends)("$fault: each change that restores the fault replaces a text that occurs once", ({ changes }) => {
  for (const { path, was } of changes) expect([path, read(path).split(was).length]).toEqual([path, 2]);
});

test("the environment of a source copy omits the path of bundled programs", () => {
  expect(Object.keys(environmentOfCopies())).not.toContain(programsVariable);
});

describe("the verdict of a run", () => {
  const of = (said: string, ended = "1") => verdictOf({ seed: 7, ended, said });
  const reported = (violation: Error) => reportOf({ seed: 7, acts: ["start 0 0"], seconds: 2.54, violation });

  test("the verdict of a run reports a broken promise with its name and its time", () => {
    const said = `error: ${reported(new Violation("kept", "A provider that is away loses no payment.", {}))}`;
    expect(of(said)).toEqual({ seconds: 2.5, promise: "kept", said });
  });

  test("the verdict of a run reports no broken promise for a correct run", () => {
    expect(of(" 1 pass\n 0 fail\n", "0")).toBeUndefined();
  });

  test.each([
    ["an error that does not name a promise", reported(new Error("relation does not exist")), "1"],
    ["a source that cannot be loaded", "error: Unexpected end of file", "1"],
    ["a run that exceeds its time limit", "", "SIGKILL"],
    ["a pattern that matches no test", " 0 pass\n", "0"],
  ])("%s is reported as a failure with the output of the run", (_, said, ended) => {
    expect(() => of(said, ended)).toThrow(`The run of seed 7 ended with ${ended}, and without a verdict:\n${said}`);
  });
});

describe.if(isLong || seedsOfMend > 0)("a reverted fix", () => {
  let folder = "";
  let copy = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-taken-back-"));
    copy = makeCopy(root, join(folder, "copy"));
  });
  afterEach(() => {
    for (const { path } of mends.flatMap(({ changes }) => changes)) write(path, read(path));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(["chats", "publications"])(
    "an unchanged copy breaks no promise with a new seed of the model %s",
    async (model) => {
      const found = await find(copy, model, newSeed());
      if (found) throw new Error(found.said);
    },
  );

  test.each(mends)(
    "$fault: at least nine of ten new seeds find the fault within a minute of processor time",
    async ({ fault, model, changes }) => {
      const found: Verdict[] = [];
      for (const change of changes) write(change.path, changed(change));
      for (let count = 0; count < seedsOfMend; count++) {
        const seed = newSeed();
        const one = await find(copy, model, seed);
        process.stderr.write(`${fault}: seed ${seed}: ${one ? `${one.seconds} s, ${one.promise}` : "not found"}\n`);
        if (one) found.push(one);
      }
      expect(found.length).toBeGreaterThanOrEqual(0.9 * seedsOfMend);
    },
  );

  function write(path: string, text: string): void {
    writeFileSync(join(copy, path), text);
  }

  /** Several changes to one file are applied in order. */
  function changed({ path, was, becomes }: Change): string {
    return readFileSync(join(copy, path), "utf8").replace(was, () => becomes);
  }
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

/**
 * Runs random acts of a seed for a minute of processor time. Returns undefined if they break no promise. Throws with
 * the output if the run ends in any other way.
 */
async function find(copy: string, model: string, seed: number): Promise<Verdict | undefined> {
  const run = Bun.spawn(
    [process.execPath, "test", "--test-name-pattern", "random acts", `./test/model/${model}.test.ts`],
    {
      cwd: copy,
      env: { ...environmentOfCopies(), PARLEY_MODEL_SEED: String(seed), PARLEY_MODEL_MINUTES: String(minutes) },
      ...({ stdout: "ignore", stderr: "pipe" } as const),
    },
  );
  const patience = setTimeout(() => run.kill("SIGKILL"), patienceMs);
  const said = await new Response(run.stderr).text();
  const exitCode = await run.exited;
  clearTimeout(patience);
  return verdictOf({ seed, ended: String(run.signalCode ?? exitCode), said });
}
