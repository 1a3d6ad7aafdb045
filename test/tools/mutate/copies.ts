import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { contractVariable } from "../../support/contract.ts";
import { programsVariable } from "../../support/programs.ts";

/**
 * Copies all files of the checkout at `root` that Git does not ignore into a folder. The copy shares the installed
 * packages.
 */
export function makeCopy(root: string, copy: string): string {
  const tracked = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of tracked.stdout.toString().split("\n").filter(Boolean)) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/**
 * Returns the environment of programs in a copy. In the environment of `npm test`, threads and processes would start
 * from the bundles of the unchanged sources, and their calls would count for the contract.
 */
export function environmentOfCopies(): NodeJS.ProcessEnv {
  const { [programsVariable]: _, [contractVariable]: __, ...environment } = process.env;
  return { ...environment, CI: "false" };
}

export type TestRun = {
  /** The time limit of a run. A run that exceeds it has failed. */
  readonly seconds: number;
  /** Runs only the tests with matching names. A run without matching tests has failed. */
  readonly pattern?: string;
};

/** Whether the tests of these files pass in a copy. */
export async function passes(
  folder: string,
  files: readonly string[],
  { seconds, pattern }: TestRun,
): Promise<boolean> {
  const only = pattern === undefined ? [] : ["--test-name-pattern", pattern];
  const run = Bun.spawn(
    [process.execPath, "test", "--bail=1", "--timeout=30000", ...only, ...files.map((file) => `./${file}`)],
    { cwd: folder, env: environmentOfCopies(), stdout: "ignore", stderr: "ignore" },
  );
  const patience = setTimeout(() => run.kill("SIGKILL"), seconds * 1_000);
  const exitCode = await run.exited;
  clearTimeout(patience);
  return exitCode === 0;
}
