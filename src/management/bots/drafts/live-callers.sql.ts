import { bulk, uuid } from "../../../platform/database/bulk.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { isAlive } from "../../access/sign-ins.sql.ts";

/** A bot, and the token or sign-in of its watcher. */
export type WatcherPlace = { readonly botId: string; readonly callerId: string };

/**
 * Returns a key that is equal for watchers of the same bot with the same token or sign-in, and therefore with the same
 * rights.
 */
export function watcherKey({ botId, callerId }: WatcherPlace): string {
  return `${botId} ${callerId}`;
}

const watcherRows = bulk<WatcherPlace>({
  bot_id: uuid(({ botId }) => botId),
  caller_id: uuid(({ callerId }) => callerId),
});

/**
 * Returns the keys of watchers that may still read their bot. The token or sign-in must be valid, the user must be
 * active, and the user must have the right to read the bot. The statement applies the rules of `requireBot` to all
 * watchers together.
 */
export async function listLiveWatchers(sql: Sql, places: readonly WatcherPlace[]): Promise<ReadonlySet<string>> {
  const rows = await sql<WatcherPlace[]>`
    with watchers as materialized (
      select bot_id, caller_id
      from ${watcherRows(sql, places)} as i
    ),
    callers as (
      select
        api_tokens.id,
        api_tokens.user_id,
        api_tokens.workspace_id,
        users.is_administrator and api_tokens.scope = 'admin' and api_tokens.workspace_id is null as is_administrator
      from api_tokens
      join users on users.id = api_tokens.user_id and users.deactivated_at is null
      where api_tokens.id in (select caller_id from watchers)
        and (api_tokens.expires_at is null or api_tokens.expires_at > clock())
      union all
      select
        sign_ins.id,
        sign_ins.user_id,
        api_tokens.workspace_id,
        users.is_administrator and coalesce(api_tokens.scope, 'admin') = 'admin' and api_tokens.workspace_id is null
      from sign_ins
      join users on users.id = sign_ins.user_id and users.deactivated_at is null
      left join api_tokens on api_tokens.id = sign_ins.token_id
      where sign_ins.id in (select caller_id from watchers)
        and ${isAlive(sql)}
        and (api_tokens.expires_at is null or api_tokens.expires_at > clock())
    )
    select watchers.bot_id, watchers.caller_id
    from watchers
    join callers on callers.id = watchers.caller_id
    join bots on bots.id = watchers.bot_id
    join workspaces on workspaces.id = bots.workspace_id and workspaces.deleted_at is null
    left join members on members.workspace_id = bots.workspace_id and members.user_id = callers.user_id
    left join collaborators on collaborators.bot_id = bots.id and collaborators.user_id = callers.user_id
    where (callers.workspace_id is null or callers.workspace_id = bots.workspace_id)
      and (
        callers.is_administrator
        or ${isOfBot(sql)}
      )`;
  return new Set(rows.map(watcherKey));
}

/**
 * Returns the SQL condition that a person who is not an administrator may read a bot. It refers to the rows `members`,
 * `collaborators` and `workspaces` of the statement.
 */
export function isOfBot(sql: Sql) {
  return sql`
    (
      (members.role in ('ADMIN', 'MEMBER') or collaborators.user_id is not null)
      and not (workspaces.is_suspended or workspaces.is_past_due)
    )`;
}
