import { bringsCode } from "../../core/flow/brings-code.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { listBotsWithCode, listUnreadFlows, noteCode } from "./published-code.sql.ts";

/** The number of bots that one line of a log names. */
const named = 50;

/**
 * Returns the number of bots whose pages are sandboxed if chats and the builder share an origin, counted up to a
 * maximum, and the public ids of the first ones. Flows that an earlier release published are first checked for code,
 * each only once.
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
