import { bulk, double, text } from "../database/bulk.ts";
import type { Sql } from "../database/sql.ts";

/**
 * The actions that a process admitted for a key, as a sum of its rule's intervals in milliseconds, and the age of the
 * first action.
 */
export type AddedDebt = { readonly key: string; readonly addedMs: number; readonly agoMs: number };

const addedRows = bulk<AddedDebt>({
  key: text(({ key }) => key),
  added_ms: double(({ addedMs }) => addedMs),
  ago_ms: double(({ agoMs }) => agoMs),
});

/** A greater age than processes report means that the clock was set back. */
const setBackSeconds = 10;

/**
 * Adds to the debts of different keys and returns the new debts in the same order. A debt decreases with the time since
 * `updated_at`. If the clock was set back, it does not decrease. If the clock was set forward, it decreases too much
 * once.
 */
export async function addDebts(sql: Sql, added: readonly AddedDebt[]): Promise<readonly number[]> {
  const rows = await sql<{ key: string; debtMs: number }[]>`
    insert into rate_limit_debts as d (key, debt_ms, updated_at)
    select i.key, i.added_ms, clock() - make_interval(secs => i.ago_ms / 1000)
    from ${addedRows(sql, added)} i
    -- In one order, so that two processes do not wait for each other.
    order by i.key
    on conflict (key) do update
    set
      debt_ms = excluded.debt_ms + greatest(
        0,
        d.debt_ms - case
          when excluded.updated_at < d.updated_at - make_interval(secs => ${setBackSeconds}) then 0
          else extract(epoch from excluded.updated_at - d.updated_at) * 1000
        end
      ),
      updated_at = excluded.updated_at
    returning key, greatest(0, debt_ms - extract(epoch from clock() - updated_at) * 1000)::double precision as debt_ms`;
  const sums = new Map(rows.map(({ key, debtMs }) => [key, debtMs]));
  return added.map(({ key }) => sums.get(key) ?? 0);
}

/** Deletes debts that have decreased to zero. Returns the number of deleted debts. */
export async function deletePaidDebts(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    with paid as (
      select key
      from rate_limit_debts
      where updated_at + make_interval(secs => debt_ms / 1000) < clock()
      limit ${limit}
      for update skip locked
    )
    delete from rate_limit_debts
    using unnest((select array_agg(key) from paid)) as gone (key)
    where rate_limit_debts.key = gone.key`;
  return count;
}
