import { runCommand } from "../../src/commands/index.ts";

// The service, which prints the names of all loaded modules at its end.
const exitCode = await runCommand(process.argv.slice(2), process.env);
const loaded = Object.keys(require.cache).map((path) => `loaded ${path}\n`);
// A pipe takes 64 kB at a time: the unread rest would be lost with the process.
await new Promise<void>((resolve) => process.stdout.end(loaded.join(""), () => resolve()));
process.exit(exitCode);
