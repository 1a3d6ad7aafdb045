import { bringsCode } from "../../core/flow/brings-code.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { listBotsWithCode, listUnreadFlows, noteCode } from "./published-code.sql.ts";

/** The number of bots that one line of a log names. */
const named = 50;

/**
 * Returns public ids of some bots whose pages are sandboxed if chats and the builder share an origin, and the number of
 * such bots, counted up to a maximum. Reads publications of an earlier release once to find out whether they contain
 * code.
 */
export async function findSandboxedBots(sql: Sql): Promise<{ readonly publicIds: string[]; readonly count: number }> {
  for (;;) {
    const flows = await listUnreadFlows(sql);
    if (flows.length === 0) break;
    for (const { botId, hash, content } of flows) {
      await noteCode(sql, { botId, hash, bringsCode: bringsCode(JSON.parse(content)) });
    }
  }
  const publicIds = await listBotsWithCode(sql);
  return { publicIds: publicIds.slice(0, named), count: publicIds.length };
}
