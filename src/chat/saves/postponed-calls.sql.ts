import { limits } from "../../limits/index.ts";
import { bulk, integer, json, uuid } from "../../platform/database/bulk.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import { newId } from "../../platform/ids.ts";
import type { StepToSave } from "./records.ts";

/** A call whose step was undone. The call waits until its chat reaches the block again. */
export type KeptCall = {
  /** The revision of the call's step. */
  readonly revision: number;
  readonly content: { readonly blockId: string; readonly message: string };
};

const callRows = bulk<KeptCall>({
  id: uuid(() => newId()),
  revision: integer(({ revision }) => revision),
  content: json(({ content }) => JSON.stringify(content)),
});

/**
 * Returns the part of saving a `goBack` step that keeps these calls. The calls have a separate kind, which older nodes
 * ignore. They are due in order of arrival. Calls that an earlier `goBack` step has kept arrived later, so they are due
 * after these calls. Kept calls are retried when they are woken, or after a pause.
 */
export function keptCalls(calls: readonly KeptCall[]): Fragment {
  return (sql) => sql`,
    kept_calls as (
      insert into due_steps (shard, session_id, id, bot_id, kind, content, due, held_until)
      select s.shard, s.id, c.id, s.bot_id, 'keptCall', c.content::json,
        least(
          t.created_at,
          (
            select min(d.due)
            from due_steps d
            where d.shard = s.shard and d.session_id = s.id and d.kind = 'keptCall'
          ) - make_interval(secs => (${calls.length}::integer - c.index + 1) / 1000.0)
        ),
        clock() + make_interval(secs => ${limits.timers.lastPauseSeconds})
      from ${callRows(sql, calls)} as c
      cross join saved s
      join steps t on t.shard = s.shard and t.session_id = s.id and t.revision = c.revision
    )`;
}

const wokenRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  due_id: uuid(({ dueId }) => dueId ?? null),
});

/**
 * Returns the part of a save that makes the kept calls of its chats due immediately, except calls that caused one of
 * the saved steps. Leases on the woken calls end, because their holder may have read the chat before this step.
 */
export function wokenCalls(steps: readonly StepToSave[]): Fragment {
  const waking = steps.filter(({ wakesKeptCalls }) => wakesKeptCalls);
  return (sql) => sql`,
    woken_calls as (
      update due_steps d
      set held_by = null, held_until = clock()
      from ${wokenRows(sql, waking)} as i
      join saved s on s.id = i.session_id
      where d.shard = s.shard
        and d.session_id = s.id
        and d.kind = 'keptCall'
        and d.id is distinct from i.due_id
    )`;
}
