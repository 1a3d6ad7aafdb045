import { UsageError, withoutControls } from "../../src/commands/command.ts";
import { runCommand } from "../../src/commands/index.ts";
import { StartError } from "../../src/config.ts";
import { AppError } from "../../src/errors.ts";

type Outcome = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/**
 * Runs a command in this process, as `src/cli.ts` does in a separate process, because starting a process costs more
 * than most commands. Run only one command at a time, because the working directory and the output belong to the
 * process.
 */
export async function runCommandHere(
  words: readonly string[],
  { environment, cwd }: { readonly environment: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const before = process.cwd();
  const restore = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += typeof text === "string" ? text : new TextDecoder().decode(text);
      for (const done of rest) if (typeof done === "function") done();
      return true;
    };
    return () => {
      stream.write = write;
    };
  });
  process.chdir(cwd);
  try {
    const exitCode = await runCommand(words, environment).catch((error: unknown) => {
      const isUsage = error instanceof UsageError;
      if (!isUsage && !(error instanceof StartError) && !(error instanceof AppError)) throw error;
      written.stderr += `${withoutControls(error.message)}${isUsage ? ' Try "parley help".' : ""}\n`;
      return isUsage ? 2 : 1;
    });
    return { exitCode, ...written };
  } finally {
    process.chdir(before);
    for (const undo of restore) undo();
  }
}
