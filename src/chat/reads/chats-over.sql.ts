import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** Whether a chat cannot continue, because it has ended or expired, or does not exist. */
export async function isChatOver(sql: Sql, sessionId: string): Promise<boolean> {
  const open = await sql`
    select
    from sessions
    where shard = ${shardOf(sessionId)}
      and id = ${sessionId}
      and not is_ended
      and expires_at > clock()`;
  return open.length === 0;
}
