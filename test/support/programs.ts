import { existsSync } from "node:fs";
import { basename, join } from "node:path";

/** Set by test/run.ts for every test process: the folder of this run's bundles. */
export const programsVariable = "PARLEY_TEST_PROGRAMS";

/** The programs that tests start as processes of their own, by source. */
export const programs = [
  "src/cli.ts",
  "test/chaos/node.ts",
  "test/tools/fuzz/service-program.ts",
  "test/support/held-service.ts",
] as const;

export type Program = (typeof programs)[number];

/** The programs of worker threads. */
export const threadSource = "workers/advance.ts";

const root = join(import.meta.dir, "../..");

/** The command that starts a program: the bundle of this run, or its source if a test file runs by itself. */
export function commandOf(program: Program): readonly string[] {
  return [process.execPath, bundleOf(program) ?? join(root, program)];
}

/** The entry of worker threads in tests: the bundle of this run; undefined if a test file runs by itself. */
export function bundledThread(): string | undefined {
  return bundleOf(threadSource);
}

/** The path of a source's bundle within the folder of the bundles. */
export function bundleName(source: string): string {
  return basename(source).replace(/\.ts$/, ".js");
}

function bundleOf(source: string): string | undefined {
  const folder = process.env[programsVariable];
  if (folder === undefined) return undefined;
  const bundle = join(folder, bundleName(source));
  if (!existsSync(bundle)) throw new Error(`${source} was not bundled: see test/support/bundle-programs.ts`);
  return bundle;
}
