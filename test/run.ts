import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../src/embedded/folders.ts";
import { type EmbeddedServer, startServer } from "../src/embedded/server.ts";
import { createLog } from "../src/log.ts";
import { type Counts, countTests } from "./support/counts.ts";
import { serverVariable, testConnections, testSettings } from "./support/postgres.ts";

/** Format, lint, types and every test, on one database server. Its last line is the count. */
const root = join(import.meta.dir, "..");
const testTimeoutMs = 30_000;
const workers = 2;

const checks = [
  { name: "format", command: ["biome", "check", "--linter-enabled=false", "--error-on-warnings", "."] },
  { name: "lint", command: ["biome", "lint", "--error-on-warnings", "."] },
  { name: "types", command: ["tsc", "--noEmit"] },
];

const patterns = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "parley-run-"));
const server = await startDatabase();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
try {
  const results = patterns.length === 0 ? await Promise.all(checks.map(runCheck)) : [];
  results.push(await runTests(server));
  process.exitCode = report(results);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

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

/** A check is one test: passed when its program says so. */
async function runCheck({ name, command: [program = "", ...flags] }: (typeof checks)[number]): Promise<Counts> {
  const check = Bun.spawn([process.execPath, join(root, "node_modules/.bin", program), ...flags], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [exitCode, output, problems] = await Promise.all([check.exited, check.stdout.text(), check.stderr.text()]);
  if (exitCode === 0) {
    process.stdout.write(`${name}: ok\n`);
    return { passed: 1, failed: 0, skipped: 0 };
  }
  process.stdout.write(`${name}: failed\n${output}${problems}\n`);
  return { passed: 0, failed: 1, skipped: 0 };
}

async function runTests({ url }: EmbeddedServer): Promise<Counts> {
  const timings = join(root, ".bun/timings.json");
  const tests = Bun.spawn(
    [
      ...[process.execPath, "test", `--parallel=${workers}`, `--timeout=${testTimeoutMs}`],
      ...[`--timings=${timings}`, "--update-timings", ...patterns],
    ],
    { cwd: root, env: { ...process.env, [serverVariable]: url }, stdout: "inherit", stderr: "pipe" },
  );
  const output: Uint8Array[] = [];
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    output.push(chunk);
  }
  return countTests(Buffer.concat(output).toString(), await tests.exited);
}

function report(results: readonly Counts[]): number {
  const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0);
  const skipped = sum("skipped");
  const end = skipped === 0 ? "" : `, ${skipped} skipped`;
  process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed${end}\n`);
  return sum("failed") === 0 ? 0 : 1;
}
