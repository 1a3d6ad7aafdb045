import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOfCopies, makeCopy } from "../../mutate/copies.ts";
import { isLong, sizeOf } from "../../support/campaigns.ts";
import { type Change, mends } from "./mends.ts";

// Whether the models find again what they were written for: each mend is taken back in a copy of the checkout, and new seeds are drawn.

const root = join(import.meta.dir, "../../..");
const seedsOfMend = sizeOf({ short: 0, long: 10, variable: "PARLEY_MODEL_TAKEN_BACK" });
/** A seed finds it within this processor time. */
const minutes = 1;
/** Machines have other work, too. */
const patienceMs = 10 * minutes * 60_000;

setDefaultTimeout(10 * patienceMs);

test.each(mends)("$fault: each change that brings it back is of a text that is there once", ({ changes }) => {
  for (const { path, was } of changes) expect([path, read(path).split(was).length]).toEqual([path, 2]);
});

describe.if(isLong || seedsOfMend > 0)("a mend that is taken back", () => {
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

  test.each(["chats", "publications"])("without a change a seed of %s breaks no promise", async (model) => {
    expect(await find(copy, model, newSeed())).toBeUndefined();
  });

  test.each(mends)("$fault: nine of ten new seeds find it within a minute", async ({ fault, model, changes }) => {
    const found: FoundIn[] = [];
    for (const change of changes) write(change.path, changed(change));
    for (let count = 0; count < seedsOfMend; count++) {
      const seed = newSeed();
      const one = await find(copy, model, seed);
      process.stderr.write(`${fault}: seed ${seed}: ${one ? `${one.seconds} s, ${one.promise}` : "not found"}\n`);
      if (one) found.push(one);
    }
    expect(found.length).toBeGreaterThanOrEqual(0.9 * seedsOfMend);
  });

  function write(path: string, text: string): void {
    writeFileSync(join(copy, path), text);
  }

  /** Changes to one file come one after the other. */
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

/** The time after which a promise was broken, and its name. */
type FoundIn = { readonly seconds: number; readonly promise: string };

/** Draws the acts of a seed for a minute of processor time. Undefined: they break no promise. Throws where the run ends otherwise, with its output. */
async function find(copy: string, model: string, seed: number): Promise<FoundIn | undefined> {
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
  if (exitCode === 0 && /^ 1 pass$/m.test(said)) return undefined;
  const [, seconds, promise] = /found after ([\d.]+) s\nThe promise "(\w+)" is broken/.exec(said) ?? [];
  if (seconds === undefined || promise === undefined)
    throw new Error(
      `The run of seed ${seed} ended with ${run.signalCode ?? exitCode}, and without a verdict:\n${said}`,
    );
  return { seconds: Number(seconds), promise };
}
