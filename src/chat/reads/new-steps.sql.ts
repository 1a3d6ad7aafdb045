import { bulk, integer, smallint, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A saved step, for the requests that wait for steps of its session. */
export type NewStep = {
  readonly sessionId: string;
  readonly revision: number;
  /** The response, as JSON text. */
  readonly response: string;
  /** Whether the step ended the chat. */
  readonly isLast: boolean;
};

type Place = { readonly sessionId: string; readonly after: number };

const placeRows = bulk<Place>({
  shard: smallint(({ sessionId }) => shardOf(sessionId)),
  session_id: uuid(({ sessionId }) => sessionId),
  after: integer(({ after }) => after),
});

/** Lists the steps of sessions after these revisions, in order, up to `limit` for each session. */
export async function listNewSteps(
  sql: Sql,
  places: readonly Place[],
  { limit }: { limit: number },
): Promise<readonly NewStep[]> {
  return sql<NewStep[]>`
    select
      i.session_id,
      t.revision,
      t.response,
      s.is_ended and t.revision = s.revision as is_last
    from ${placeRows(sql, places)} as i
    join sessions s on s.shard = i.shard and s.id = i.session_id and s.revision > i.after
    cross join lateral (
      select steps.revision, steps.response::text as response
      from steps
      where steps.shard = i.shard and steps.session_id = i.session_id and steps.revision > i.after
      order by steps.revision
      limit ${limit}
    ) t
    order by i.session_id, t.revision`;
}
