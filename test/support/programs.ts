import { existsSync } from "node:fs";
import { basename, join } from "node:path";

/** The environment variable with the folder of this run's bundles. Set by test/run.ts for every test process. */
export const programsVariable = "PARLEY_TEST_PROGRAMS";

/** The source files of the programs that tests start as separate processes. */
export const programs = [
  "src/cli.ts",
  "test/chaos/node.ts",
  "test/tools/fuzz/service-program.ts",
  "test/support/held-service.ts",
] as const;

export type Program = (typeof programs)[number];

export const threadSource = "workers/advance.ts";

const root = join(import.meta.dir, "../..");

/** Returns the command that starts a program: the bundle of this run, or the source if a test file runs on its own. */
export function commandOf(program: Program): readonly string[] {
  return [process.execPath, bundleOf(program) ?? join(root, program)];
}

/** Returns the bundle of worker threads for this run, or undefined if a test file runs on its own. */
export function bundledThread(): string | undefined {
  return bundleOf(threadSource);
}

/** Returns the path of a bundle in the folder of the bundles. */
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
