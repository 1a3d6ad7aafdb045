import type { EventContent } from "../../../events.ts";
import { countOf, first, type Sql } from "../../../platform/database/sql.ts";

/**
 * The daily limit in megabytes from ANONYMOUS_MEGABYTES_A_DAY; undefined to use the limit that the instance has stored.
 */
type Bound = number | undefined;

/** Whether a workspace's day has room for a file, and the limit of this day. */
export type UploadDay = {
  readonly hasRoom: boolean;
  /** Null if nothing is counted, because there is no limit. */
  readonly workspaceId: string | null;
  readonly day: string;
  readonly megabytes: number;
  readonly secondsLeft: number;
};

/**
 * Returns today's limit of a bot's workspace, and whether it has room for a file of this size. Does not count the file.
 * Returns undefined if the bot no longer exists.
 */
export async function findRoom(
  sql: Sql,
  { botId, bytes, megabytes }: { botId: string; bytes: number; megabytes: Bound },
): Promise<UploadDay | undefined> {
  return first(sql<UploadDay[]>`
    with ${asked(sql, { botId, megabytes })}
    select
      asked.most = 0
        or coalesce(upload_days.bytes, 0) + ${bytes}::bigint <= asked.most as has_room,
      ${facts(sql)}
    from asked
    left join upload_days using (workspace_id, day)`);
}

/**
 * Counts a file of a bot if today's limit of the workspace has room for it. Concurrent files are counted one after
 * another. Returns undefined if the bot no longer exists.
 */
export async function takeRoom(
  sql: Sql,
  { botId, bytes, megabytes }: { botId: string; bytes: number; megabytes: Bound },
): Promise<UploadDay | undefined> {
  return first(sql<UploadDay[]>`
    with ${asked(sql, { botId, megabytes })},
    counted as (
      insert into upload_days as days (workspace_id, day, bytes)
      select workspace_id, day, ${bytes}::bigint
      from asked
      where most > 0 and ${bytes}::bigint <= most
      on conflict (workspace_id, day) do update
      set bytes = days.bytes + excluded.bytes
      where days.bytes + excluded.bytes <= (select most from asked)
      returning 1
    )
    select
      asked.most = 0 or exists (select from counted) as has_room,
      ${facts(sql)}
    from asked`);
}

/** Subtracts a file that was counted but not stored. */
export async function giveRoomBack(
  sql: Sql,
  { workspaceId, day, bytes }: { workspaceId: string; day: string; bytes: number },
): Promise<void> {
  await sql`
    update upload_days
    set bytes = greatest(bytes - ${bytes}::bigint, 0)
    where workspace_id = ${workspaceId} and day = ${day}::date`;
}

/** Records that the limit rejected a file. The first rejection of a day notifies the workspace's endpoints. */
export async function noteRefusal(
  sql: Sql,
  { workspaceId, day, megabytes }: { workspaceId: string; day: string; megabytes: number },
): Promise<void> {
  const type = "storage.full";
  const content: EventContent<typeof type> = { day, megabytes };
  await sql`
    with refused as (
      insert into upload_days as days (workspace_id, day, bytes, refused_at)
      values (${workspaceId}, ${day}::date, 0, clock())
      on conflict (workspace_id, day) do update
      set refused_at = clock()
      where days.refused_at is null
      returning 1
    )
    insert into event_deliveries (id, endpoint_id, type, bot_id, order_key, content)
    select new_id(), event_endpoints.id, ${type}, null::uuid, new_id(), ${JSON.stringify(content)}::text::json
    from refused
    cross join event_endpoints
    where event_endpoints.workspace_id = ${workspaceId}
      and event_endpoints.is_enabled
      and ${type} = any(event_endpoints.event_types)`;
}

export type NearBound = {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly day: string;
  readonly megabytes: number;
  readonly usedMegabytes: number;
  readonly isRefusing: boolean;
};

/**
 * Returns workspaces whose ADMINs should be notified, because today's uploads reached this share of the limit or were
 * rejected. Marks each workspace, so that it is returned only once a day.
 */
export async function takeNearBound(
  sql: Sql,
  { megabytes, share, limit }: { megabytes: Bound; share: number; limit: number },
): Promise<NearBound[]> {
  return sql<NearBound[]>`
    with bound as (select ${boundIn(sql, megabytes)} as megabytes),
    near as (
      select workspace_id, day
      from upload_days, bound
      where upload_days.day = ${today(sql)}
        and upload_days.warned_at is null
        and bound.megabytes > 0
        and (upload_days.refused_at is not null or upload_days.bytes >= ${share}::float * bound.megabytes * ${megabyte})
      limit ${limit}
      for update of upload_days skip locked
    )
    update upload_days
    set warned_at = clock()
    from near, bound, workspaces
    where upload_days.workspace_id = near.workspace_id
      and upload_days.day = near.day
      and workspaces.id = near.workspace_id
    returning
      upload_days.workspace_id,
      workspaces.name as workspace_name,
      upload_days.day::text as day,
      bound.megabytes,
      (upload_days.bytes / ${megabyte})::int as used_megabytes,
      upload_days.refused_at is not null as is_refusing`;
}

/** Returns the number of workspaces whose limit has rejected a file today. */
export async function countFull(sql: Sql): Promise<number> {
  const row = await first(sql<{ count: number }[]>`
    select count(*)::int as count
    from upload_days
    where day = ${today(sql)} and refused_at is not null`);
  return row?.count ?? 0;
}

/** Deletes the counts of days before yesterday. Returns the number of deleted rows. */
export async function deleteOldUploadDays(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    delete from upload_days
    where ctid = any(array(
      select ctid
      from upload_days
      where day < ${today(sql)} - 1
      limit ${limit}
    ))`);
}

const megabyte = 1024 * 1024;

const today = (sql: Sql) => sql`(clock() at time zone 'UTC')::date`;

const boundIn = (sql: Sql, megabytes: Bound) => sql`
  coalesce(${megabytes ?? null}::int, (select anonymous_megabytes_a_day from instance_defaults), 0)`;

/**
 * Selects the bot's workspace, the day by the database's clock, and the maximum number of bytes per day; 0 means no
 * limit.
 */
const asked = (sql: Sql, { botId, megabytes }: { botId: string; megabytes: Bound }) => sql`
  asked as (
    select
      bots.workspace_id,
      ${today(sql)} as day,
      ${boundIn(sql, megabytes)}::bigint * ${megabyte} as most
    from bots
    where bots.id = ${botId}
  )`;

const facts = (sql: Sql) => sql`
  case when asked.most > 0 then asked.workspace_id end as workspace_id,
  asked.day::text as day,
  (asked.most / ${megabyte})::int as megabytes,
  ceil(extract(epoch from (asked.day + 1) - clock() at time zone 'UTC'))::int as seconds_left`;
