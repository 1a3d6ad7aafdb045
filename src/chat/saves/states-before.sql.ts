import { limits } from "../../limits/index.ts";
import { bulk, json, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { StepToSave } from "./records.ts";

const stateRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  state: json(({ stateBefore }) => stateBefore),
});

/**
 * Returns the parts of a save that store the states before its steps, and delete the oldest state of a session with too
 * many states. The parts are empty if no step of the batch stores a state, as in nearly all bots, so that the statement
 * can be reused.
 */
export function statesBefore(steps: readonly StepToSave[]): {
  readonly list: Fragment;
  readonly column: Fragment;
  readonly value: Fragment;
} {
  const kept = steps.filter(({ stateBefore }) => stateBefore !== undefined);
  if (kept.length === 0) return { list: nothing, column: nothing, value: nothing };
  return {
    list: (sql) => sql`
    kept as (
      select *
      from ${stateRows(sql, kept)} as i
    ),
    forgotten as (
      update steps t
      set state_before = null
      from kept k
      join saved s on s.id = k.session_id
      where t.shard = s.shard
        and t.session_id = s.id
        and t.revision = (
          select o.revision
          from steps o
          where o.shard = s.shard and o.session_id = s.id and o.state_before is not null
          order by o.revision desc
          offset ${limits.session.statesBefore - 1}::integer
          limit 1
        )
    ),`,
    column: (sql) => sql`, state_before`,
    value: (sql) => sql`, (select k.state from kept k where k.session_id = saved.id)`,
  };
}

/** The state to which a visitor can go back. */
export type GoingBack = {
  /** Whether the session's bot lets its visitors go back. */
  readonly isAllowed: boolean;
  /**
   * The revision of the last answered step that can be undone, and the state before this step. Both are null if no step
   * can be undone.
   */
  readonly revision: number | null;
  readonly state: string | null;
};

/** Finds the state to which a session's visitor can go back. */
export async function findGoingBack(
  sql: Sql,
  { id, botId, flowHash }: { id: string; botId: string; flowHash: string },
): Promise<GoingBack> {
  const [row] = await sql<GoingBack[]>`
    select
      coalesce((f.facts ->> 'isGoBackEnabled')::boolean, false) as is_allowed,
      t.revision,
      t.state_before as state
    from flows f
    left join lateral (
      select revision, state_before
      from steps
      where shard = ${shardOf(id)} and session_id = ${id} and state_before is not null
        -- Nobody goes back to before a payment, where it would be asked for again.
        and revision > (
          select coalesce(max(taken_revision), 0)
          from payments
          where shard = ${shardOf(id)} and session_id = ${id}
        )
      order by revision desc
      limit 1
    ) t on true
    where f.bot_id = ${botId} and f.hash = decode(${flowHash}, 'hex')`;
  return row ?? { isAllowed: false, revision: null, state: null };
}
