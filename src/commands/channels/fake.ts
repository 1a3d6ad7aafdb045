import { existsSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../config.ts";
import { stopSignals } from "../../platform/processes/stop-request.ts";
import type { Tools } from "../command.ts";

/** The fake messengers belong to the repository's tests, so a binary does not contain them. */
const program = join(import.meta.dir, "../../../test/fake-channels/run.ts");

/** Runs fake messengers, with a web page that shows a phone, until the command is interrupted. */
export async function runFakes(tools: Tools, { port }: { readonly port: number }): Promise<void> {
  if (!existsSync(program))
    throw new StartError(
      "Fake messengers are only part of the repository: run `npm run fake-channels` in a clone of it.",
    );
  const child = Bun.spawn([process.execPath, program, "--port", String(port)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of stopSignals) process.on(signal, pass);
  tools.setExitCode(await child.exited);
  for (const signal of stopSignals) process.off(signal, pass);
}
