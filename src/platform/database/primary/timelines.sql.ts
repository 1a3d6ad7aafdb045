import postgres from "postgres";
import type { ServerState, TimelineNote } from "./primary-judgement.ts";

/** SQLSTATEs of statements that a provider forbids or does not support. */
const hiddenCodes: readonly string[] = ["42501", "42883", "42P01", "42704", "0A000", "22023", "55000"];

/**
 * Queries the state of a server, over a connection without row mapping. A writer's timeline is read from the log that
 * it is writing, because the timeline in the control file lags behind a promotion until the next checkpoint. If
 * `isHidden` is set, the identity is not queried.
 */
export async function askState(sql: postgres.ISql, { isHidden }: { readonly isHidden: boolean }): Promise<ServerState> {
  if (isHidden) return await askWhetherWriter(sql);
  try {
    const [row] = await sql<[IdentityRow]>`
      select
        pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
        (select system_identifier::text from pg_control_system()) as "systemId",
        case when pg_is_in_recovery() then (
          select greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline)::bigint
          from pg_control_checkpoint() as checkpoint, pg_control_recovery() as recovery
        )
        else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint end as timeline,
        pg_postmaster_start_time()::text as "startedAt",
        to_regclass('known_timelines') is not null as "hasNotes"`;
    const { isReadOnly, systemId, startedAt, hasNotes } = row;
    const notes = hasNotes ? await readNotes(sql) : undefined;
    const identity = { systemId, timeline: Number(row.timeline), startedAt, ...(notes && { notes }) };
    return { kind: isReadOnly ? "reader" : "writer", identity };
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || !hiddenCodes.includes(error.code)) throw error;
    return await askWhetherWriter(sql);
  }
}

type IdentityRow = {
  readonly isReadOnly: boolean;
  readonly systemId: string;
  readonly timeline: string;
  readonly startedAt: string;
  readonly hasNotes: boolean;
};

async function askWhetherWriter(sql: postgres.ISql): Promise<ServerState> {
  const [row] = await sql<[{ isReadOnly: boolean }]>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;
  return { kind: row.isReadOnly ? "reader" : "writer" };
}

async function readNotes(sql: postgres.ISql): Promise<readonly TimelineNote[]> {
  const rows = await sql<(Omit<TimelineNote, "timeline"> & { readonly timeline: string })[]>`
    select system_identifier as "systemId", timeline, epoch, told_epoch as "reportedEpoch"
    from known_timelines`;
  return rows.map((row) => ({ ...row, timeline: Number(row.timeline) }));
}

/**
 * Stores a note about a cluster. A higher epoch, and a later timeline of the same epoch, are not overwritten. The
 * commit does not wait for the disk or a standby, because the database may have lost both. A lost write is repeated.
 */
export async function writeNote(sql: postgres.ISql, note: TimelineNote): Promise<void> {
  const { systemId, timeline, epoch, reportedEpoch } = note;
  await sql`
    with quick as materialized (select set_config('synchronous_commit', 'off', true))
    insert into known_timelines as known (system_identifier, timeline, epoch, told_epoch)
    select ${systemId}, ${timeline}, ${epoch}, ${reportedEpoch}
    from quick
    on conflict (system_identifier) do update
    set timeline = case
        when excluded.epoch > known.epoch then excluded.timeline
        else greatest(known.timeline, excluded.timeline)
      end,
      epoch = greatest(known.epoch, excluded.epoch),
      told_epoch = greatest(known.told_epoch, excluded.told_epoch),
      noted_at = clock()`;
}

export type Acceptance = Pick<TimelineNote, "systemId" | "timeline" | "epoch">;

/** Declares this server's own timeline valid. From now on, every server with a lower epoch is refused. */
export async function writeAcceptance(sql: postgres.ISql, { systemId, timeline, epoch }: Acceptance): Promise<void> {
  await sql`
    insert into known_timelines (system_identifier, timeline, epoch, told_epoch)
    values (${systemId}, ${timeline}, ${epoch}, ${epoch})
    on conflict (system_identifier) do update
    set timeline = excluded.timeline,
      epoch = excluded.epoch,
      told_epoch = excluded.told_epoch,
      noted_at = clock()`;
}
