import { StartError } from "../../config.ts";
import { printJson, type Tools } from "../command.ts";
import { type Call, RefusedCall } from "../service.ts";
import { type Among, findBot } from "./find-bot.ts";

/** A bot for which the operation failed. */
type Failed = { readonly bot: string; readonly code: string; readonly message: string };

export type EachBot<Done> = {
  readonly call: Call;
  /** The names from the command line. */
  readonly names: readonly string[];
  /** The bots among which the names are looked up. */
  readonly among: Among;
  readonly json: true | undefined;
  act(botId: string): Promise<Done>;
  /** Describes the outcome in one line. */
  words(done: Done): string;
};

/**
 * Performs an operation on several bots, one after another. If it fails for a bot with a StartError, the remaining bots
 * are still processed and the exit code is 1. With `--json` the output is `{ "bots": [{ "botId", … }], "failed": [{
 * "bot", "code", "message" }] }`.
 */
export async function eachBot<Done extends object>(tools: Tools, { names, json, ...each }: EachBot<Done>) {
  const bots: (Done & { readonly botId: string })[] = [];
  const failed: Failed[] = [];
  for (const bot of names) {
    try {
      const botId = await findBot(each.call, bot, each.among);
      const done = { botId, ...(await each.act(botId)) };
      bots.push(done);
      if (!json) tools.print(`${bot}: ${each.words(done)}\n`);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      const code = error instanceof RefusedCall ? error.code : "bot.not_found";
      failed.push({ bot, code, message: error.message });
      tools.tell(`${bot}: ${error.message}`);
    }
  }
  if (json) printJson(tools, { bots, failed });
  if (failed.length > 0) tools.setExitCode(1);
}
