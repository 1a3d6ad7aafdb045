import { limits } from "../limits.ts";
import type { Sql } from "./database/sql.ts";

/** Somebody who has a draft open. */
export type PresenceRow = {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  /** The id of the card where they are. */
  readonly at: string | null;
};

export type Presence = { readonly botId: string; readonly id: string; readonly userId: string };

/** Notes that somebody is here. False where the bot has as many already, or the id is somebody else's. */
export async function putPresence(
  sql: Sql,
  { botId, id, userId, at }: Presence & { readonly at: string | null },
): Promise<boolean> {
  const { count } = await sql`
    insert into presences (bot_id, id, user_id, at, seen_at)
    select ${botId}::uuid, ${id}::text, ${userId}::uuid, ${at}::text, clock()
    where exists (
        select
        from presences
        where bot_id = ${botId}
          and id = ${id}
      )
      or (
        select count(*)
        from presences
        where bot_id = ${botId}
      ) < ${limits.editing.presencesPerBot}::integer
    on conflict (bot_id, id) do update
    set at = excluded.at,
      seen_at = excluded.seen_at
    where presences.user_id = excluded.user_id`;
  return count === 1;
}

export async function deletePresence(sql: Sql, { botId, id, userId }: Presence): Promise<void> {
  await sql`
    delete from presences
    where bot_id = ${botId}
      and id = ${id}
      and user_id = ${userId}`;
}

/** Who is here, by their ids. */
export async function listPresences(sql: Sql, botId: string): Promise<PresenceRow[]> {
  return sql<PresenceRow[]>`
    select presences.id, presences.user_id, users.name, presences.at
    from presences
    left join users on users.id = presences.user_id
    where presences.bot_id = ${botId}
      and ${isHere(sql)}
    order by presences.id`;
}

/** Removes those who have not been heard of for long. Returns how many went. */
export async function deleteOldPresences(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    delete from presences
    using (
      select bot_id, id
      from presences
      where not ${isHere(sql)}
      order by seen_at
      limit ${limit}
    ) as old
    where presences.bot_id = old.bot_id
      and presences.id = old.id`;
  return count;
}

/** Whether somebody was heard of lately. */
export function isHere(sql: Sql) {
  return sql`presences.seen_at > clock() - make_interval(secs => ${limits.editing.presenceSeconds})`;
}
