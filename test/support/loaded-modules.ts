import { runCommand } from "../../src/commands/index.ts";

// The service, which names at its end every module that was loaded.
const exitCode = await runCommand(process.argv.slice(2), process.env);
for (const path of Object.keys(require.cache)) process.stdout.write(`loaded ${path}\n`);
process.exit(exitCode);
