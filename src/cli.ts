import { UsageError, withoutControls } from "./commands/command.ts";
import { runCommand } from "./commands/index.ts";
import { goPastProxies } from "./commands/proxy.ts";
import { StartError } from "./config.ts";
import { AppError } from "./errors.ts";

const wrongUsage = 2;
const failed = 1;

// "Server-local" time is UTC, regardless of the machine's time zone. Threads inherit this setting.
process.env["TZ"] = "UTC";

goPastProxies(process.env);

// The reader of the output may close it early, as `head` does. The command still finishes its work, and the exit code
// reports the outcome. A closed pipe neither interrupts a backup nor leaves an embedded database running.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

try {
  const exitCode = await runCommand(process.argv.slice(2), process.env);
  // A pipe accepts 64 kB at a time. Without this wait, unread output would be lost when the process exits.
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
