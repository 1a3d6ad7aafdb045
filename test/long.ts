import { join } from "node:path";
import { Glob } from "bun";
import { filesLeftOut } from "./support/left-out.ts";

/**
 * Runs `npm run test:long`, nightly. The run contains every known mutant, the files that `npm test` omits
 * (`test/left-out.json`), each campaign in full (`test/support/campaigns.ts`), the long tests
 * (`test/support/long-test.ts`), and the tests in a full browser. The run takes hours, and its last line is the count.
 * With parts of file names, only matching files run. With `--everything`, all of `npm test` runs without omissions, and
 * the run checks whether each documented operation and error occurred: an hour on two cores.
 */
const root = join(import.meta.dir, "..");
const names = process.argv.slice(2);
const isEverything = names[0] === "--everything";
const environment = isEverything
  ? process.env
  : { ...process.env, PARLEY_LONG: "1", PARLEY_TEST_WORKERS: process.env["PARLEY_TEST_WORKERS"] ?? "2" };

async function run(program: string, ...args: readonly string[]): Promise<boolean> {
  const command = [process.execPath, join(root, program), ...args];
  return (
    (await Bun.spawn(command, { cwd: root, env: environment, stdio: ["ignore", "inherit", "inherit"] }).exited) === 0
  );
}

const files = [...new Glob("test/**/*.test.{ts,tsx}").scanSync(root)].sort();
const texts = await Promise.all(files.map((path) => Bun.file(join(root, path)).text()));
const ofLongRun = files.filter(
  (path, at) =>
    filesLeftOut.has(path) ||
    /\/support\/(campaigns|interleavings|long-test)\.ts"|\b(longBrowserTests|inLongRun)\b/.test(texts[at] ?? ""),
);

if (isEverything) process.exit((await run("test/run.ts", "--everything")) ? 0 : 1);
const chosen = ofLongRun.filter((path) => names.length === 0 || names.some((name) => path.includes(name)));
if (chosen.length === 0) {
  process.stderr.write(`No file of the long run has this name. There are:\n${ofLongRun.join("\n")}\n`);
  process.exit(1);
}
const isKilled = names.length > 0 || (await run("test/tools/mutate/run.ts", "--known"));
const isPassed = await run("test/run.ts", ...chosen.map((path) => `./${path}`));
const isPassedInBoth = names.length > 0 || (await run("test/run.ts", "--full-browser"));
process.exitCode = isKilled && isPassed && isPassedInBoth ? 0 : 1;
