import type { Config } from "../../config.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isOfDatabase } from "../../platform/instance-mark.sql.ts";
import { instanceMark, noteRestoredHere, takeRestoredNote } from "../../platform/instance-mark.ts";
import { adoptUnmarked, silenceAll, silenceMoved } from "./copies.sql.ts";

/**
 * Records in a data folder that its database was restored. The next start then disables the connections of the
 * database.
 */
export const noteRestored = noteRestoredHere;

/**
 * Disables connections that were restored or that were enabled for another instance, because a copy of a database must
 * not send messages in addition to its original.
 */
export async function silenceCopies(
  sql: Sql,
  config: Config,
): Promise<{ readonly count: number; readonly reason: "restored" | "moved" }> {
  const isRestored = await takeRestoredNote(config.DATA_DIR, () => silenceAll(sql, "restored"));
  if (isRestored !== undefined && isRestored > 0) return { count: isRestored, reason: "restored" };
  const mark = await instanceMark(sql, config);
  if (isOfDatabase(mark)) await adoptUnmarked(sql, mark);
  return { count: await silenceMoved(sql, mark), reason: "moved" };
}

export function silencedNote(count: number): string {
  const what = count === 1 ? "1 connection to a messenger is" : `${count} connections to messengers are`;
  return `${what} disabled, so that this copy does not answer contacts in parallel with the original server. If the original is gone: parley channels enable --all`;
}
