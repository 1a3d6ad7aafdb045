import { runCommand } from "../../src/commands/index.ts";

// Runs the service, and prints the paths of all loaded modules when it ends.
const exitCode = await runCommand(process.argv.slice(2), process.env);
const loaded = Object.keys(require.cache).map((path) => `loaded ${path}\n`);
// A pipe accepts 64 kB at a time. Without this wait, unread output would be lost when the process exits.
await new Promise<void>((resolve) => process.stdout.end(loaded.join(""), () => resolve()));
process.exit(exitCode);
