import { runCommand, UsageError } from "./commands.ts";
import { StartError } from "./config.ts";
import { AppError } from "./errors.ts";

const wrongUsage = 2;
const failed = 1;

// "Server-local" time means UTC, wherever the service runs. Threads follow.
process.env["TZ"] = "UTC";

try {
  process.exit(await runCommand(process.argv.slice(2), process.env));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message} Try "parley help".\n`);
    process.exit(wrongUsage);
  }
  if (!(error instanceof StartError || error instanceof AppError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(failed);
}
