import { limits } from "../../../limits/index.ts";
import { countOf, type Sql } from "../../../platform/database/sql.ts";
import { isOfBot } from "./live-callers.sql.ts";

/** A person's position in a draft, in addition to the selected card. Fields that the client did not send are absent. */
export type Place = {
  readonly pointer?: { readonly x: number; readonly y: number };
  /**
   * A selection in a text, from the offset `at` to the caret at `to`. The offsets refer to the draft of `revision`.
   */
  readonly text?: {
    readonly path: (string | number)[];
    readonly at: number;
    readonly to: number;
    readonly revision: number;
  };
  readonly camera?: { readonly x: number; readonly y: number; readonly zoom: number };
};

/** A tab in which a person has a draft open. */
export type PresenceRow = Place & {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  /** The id of the card that the person has selected; null if there is none. */
  readonly at: string | null;
};

export type Presence = { readonly botId: string; readonly id: string; readonly userId: string };

/**
 * Records a presence. Returns false if the id belongs to another user, or if the bot is full and no presence can be
 * removed. A user at their own maximum loses their least recent presence. If the bot is full, the user with the most
 * presences loses one, or else the recorded user does. No user loses their only presence to another user.
 */
export async function putPresence(
  sql: Sql,
  { botId, id, userId, at, place }: Presence & { readonly at: string | null; readonly place: Place },
): Promise<boolean> {
  const { count } = await sql`
    with others as (
      select id, user_id, seen_at, row_number() over (partition by user_id order by seen_at desc, id) as place
      from presences
      where bot_id = ${botId}
        and id <> ${id}
        and ${isHere(sql)}
    ),
    counted as (
      select count(*) as total, count(*) filter (where user_id = ${userId}) as own
      from others
    ),
    displaced as (
      select others.id
      from others, counted
      where not exists (
        select
        from presences
        where bot_id = ${botId}
          and id = ${id}
          and user_id <> ${userId}
      )
      and case
        when own >= ${limits.editing.presencesPerUser}::integer then user_id = ${userId}
        when total >= ${limits.editing.presencesPerBot}::integer then user_id = ${userId} or place > own + 1
      end
      order by place desc, seen_at
      limit 1
    ),
    closed as (
      delete from presences
      using displaced
      where presences.bot_id = ${botId}
        and presences.id = displaced.id
    )
    insert into presences (bot_id, id, user_id, at, place, seen_at)
    select ${botId}::uuid, ${id}::text, ${userId}::uuid, ${at}::text, ${JSON.stringify(place)}::text::json, clock()
    from counted
    where total < ${limits.editing.presencesPerBot}::integer
      or exists (select from displaced)
      or exists (
        select
        from presences
        where bot_id = ${botId}
          and id = ${id}
      )
    on conflict (bot_id, id) do update
    set at = excluded.at,
      place = excluded.place,
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

/** Returns the people who have the bot open, sorted by the ids of their tabs. */
export async function listPresences(sql: Sql, botId: string): Promise<PresenceRow[]> {
  const rows = await sql<(Omit<PresenceRow, keyof Place> & { readonly place: Place | null })[]>`
    select presences.id, presences.user_id, users.name, presences.at, presences.place
    from presences
    left join users on users.id = presences.user_id
    where presences.bot_id = ${botId}
      and ${isHere(sql)}
    order by presences.id`;
  return rows.map(({ place, ...row }) => ({ ...row, ...place }));
}

/** Deletes up to `limit` presences that are not recent. Returns the number of deleted rows. */
export async function deleteOldPresences(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    delete from presences
    using (
      select bot_id, id
      from presences
      where not ${isRecent(sql)}
      order by seen_at
      limit ${limit}
    ) as old
    where presences.bot_id = old.bot_id
      and presences.id = old.id`);
}

/** Returns the SQL condition that a presence is recent, and its user may still read the bot. */
export function isHere(sql: Sql) {
  return sql`
    ${isRecent(sql)}
    and exists (
      select
      from bots
      join workspaces on workspaces.id = bots.workspace_id and workspaces.deleted_at is null
      join users on users.id = presences.user_id and users.deactivated_at is null
      left join members on members.workspace_id = bots.workspace_id and members.user_id = users.id
      left join collaborators on collaborators.bot_id = bots.id and collaborators.user_id = users.id
      where bots.id = presences.bot_id
        and (users.is_administrator or ${isOfBot(sql)})
    )`;
}

function isRecent(sql: Sql) {
  return sql`presences.seen_at > clock() - make_interval(secs => ${limits.editing.presenceSeconds})`;
}
