import { UsageError, withoutControls } from "./commands/command.ts";
import { runCommand } from "./commands/index.ts";
import { goPastProxies } from "./commands/proxy.ts";
import { StartError } from "./config.ts";
import { AppError } from "./errors.ts";

const wrongUsage = 2;
const failed = 1;

// "Server-local" time means UTC, in any time zone of the machine. Threads inherit it.
process.env["TZ"] = "UTC";

goPastProxies(process.env);

// The reader of our output may close it early, as `head` does. The command still finishes its work, and the exit code
// reports the outcome: a closed pipe neither cuts off a backup nor leaves a database of ours behind.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

try {
  const exitCode = await runCommand(process.argv.slice(2), process.env);
  // A pipe takes 64 kB at a time. Without this, the part that its reader has not taken yet would be lost with the
  // process.
  await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
  process.exit(exitCode);
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${withoutControls(error.message)} Try "parley help".\n`);
    process.exit(wrongUsage);
  }
  if (!(error instanceof StartError || error instanceof AppError)) throw error;
  process.stderr.write(`${withoutControls(error.message)}\n`);
  process.exit(failed);
}
