import { bulk, hex, integer, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { StepToSave } from "./records.ts";

const movedRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  flow_hash: hex(({ moved }) => moved?.flowHash ?? ""),
  number: integer(({ moved }) => moved?.number ?? null),
});

/** The part of a save that moves sessions to another version. It is empty when no step of the batch moves, so that the statement stays the same. */
export function movedSteps(steps: readonly StepToSave[]): { readonly list: Fragment; readonly columns: Fragment } {
  const moved = steps.filter((step) => step.moved !== undefined);
  if (moved.length === 0) return { list: nothing, columns: nothing };
  return {
    list: (sql) => sql`
    moved as (
      select *
      from ${movedRows(sql, moved)} as i
    ),`,
    columns: (sql) => sql`
        flow_hash = coalesce((select decode(m.flow_hash, 'hex') from moved m where m.session_id = s.id), s.flow_hash),
        publication_number = coalesce((select m.number from moved m where m.session_id = s.id), s.publication_number),
        moving_to = case when exists (select from moved m where m.session_id = s.id) then null else s.moving_to end,`,
  };
}
