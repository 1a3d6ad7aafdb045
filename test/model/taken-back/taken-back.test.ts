import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCopy } from "../../mutate/copies.ts";
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
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(mends)("$fault: nine of ten new seeds find it within a minute", async ({ fault, model, changes }) => {
    for (const change of changes) write(change.path, changed(change));
    const found: (number | undefined)[] = [];
    for (let count = 0; count < seedsOfMend; count++) {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const seconds = await secondsUntilFound(copy, model, seed);
      process.stderr.write(`${fault}: seed ${seed}: ${seconds === undefined ? "not found" : `${seconds} s`}\n`);
      found.push(seconds);
    }
    for (const { path } of changes) write(path, read(path));
    expect(found.filter((seconds) => seconds !== undefined).length).toBeGreaterThanOrEqual(0.9 * seedsOfMend);
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

/** Draws the acts of a seed for a minute of processor time. Undefined: they break no promise. */
async function secondsUntilFound(copy: string, model: string, seed: number): Promise<number | undefined> {
  const run = Bun.spawn(
    [process.execPath, "test", "--test-name-pattern", "random acts", `./test/model/${model}.test.ts`],
    {
      cwd: copy,
      env: { ...process.env, PARLEY_MODEL_SEED: String(seed), PARLEY_MODEL_MINUTES: String(minutes) },
      ...({ stdout: "ignore", stderr: "pipe" } as const),
    },
  );
  const patience = setTimeout(() => run.kill("SIGKILL"), patienceMs);
  const said = await new Response(run.stderr).text();
  await run.exited;
  clearTimeout(patience);
  const [, seconds] = /found after ([\d.]+) s/.exec(said) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
