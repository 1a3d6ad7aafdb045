import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/**
 * Returns statement parts that end a chat of a contact and drop its waiting messages. No later step of the chat is
 * saved.
 */
export function endedSession(sql: Sql, sessionId: string) {
  return sql`,
    ended_session as (
      update sessions
      set is_ended = true,
        state = '',
        expires_at = least(expires_at, clock()),
        updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      where shard = ${shardOf(sessionId)}
        and id = ${sessionId}
        and not is_ended
    ),
    unsaid_steps as (
      delete from channel_steps
      where shard = ${shardOf(sessionId)} and session_id = ${sessionId}
    ),
    unsaid as (
      update channel_sendings o
      set state = 'dropped', error_class = 'session_ended', settled_at = clock()
      from channel_contacts c
      where c.session_id = ${sessionId}
        and o.connection_id = c.connection_id
        and o.contact_id = c.id
        and o.session_id = ${sessionId}
        and o.state = 'pending'
    )`;
}
