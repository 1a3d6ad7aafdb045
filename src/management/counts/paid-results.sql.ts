import type { PaidAmount } from "../../core/measures/paid.ts";
import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { nobody } from "./turns.sql.ts";

export type ResultAmount = PaidAmount & { readonly resultId: string };

/**
 * Counts the succeeded payments of these results by currency and amount, up to a limit per result. Leaves out test
 * payments.
 */
export async function listPaidAmounts(sql: Sql, resultIds: readonly string[]): Promise<ResultAmount[]> {
  return sql<ResultAmount[]>`
    select made.result_id, made.currency, made.amount, count(*)::integer as count
    from ${shardedIds(sql, resultIds)} as wanted
    cross join lateral (
      select result_id, currency, amount
      from payments
      where payments.shard = wanted.shard
        and payments.result_id = wanted.id
        and payments.status = 'succeeded'
        and not payments.is_test
      limit ${limits.insight.rowsPerResult}
    ) as made
    group by made.result_id, made.currency, made.amount`;
}

export type PaymentPlace = { readonly shard: number; readonly id: string };

/**
 * Queues results for recounting if their counts do not match their payments, because an earlier release counted them or
 * recorded a payment. Examines a limited number of payments. `last` is the position to continue from; null if there are
 * no more payments.
 */
export async function recountPayments(
  sql: Sql,
  { after = { shard: -1, id: nobody } }: { readonly after: PaymentPlace | undefined },
): Promise<{ readonly count: number; readonly last: PaymentPlace | null }> {
  const most = limits.insight.recounted.payments;
  const [row] = await sql<[{ count: number; shard: number | null; id: string | null }]>`
    with looked as materialized (
      select shard, id, result_id
      from payments
      where (shard, id) > (${after.shard}::smallint, ${after.id}::uuid)
      order by shard, id
      limit ${most}
    ),
    paying as materialized (
      select distinct shard, result_id
      from looked
      where result_id is not null
    ),
    found as (
      select queue.shard, queue.result_id
      from paying
      join insight_results as queue on queue.shard = paying.shard and queue.result_id = paying.result_id
      where queue.is_counted
        and (
          select string_agg(concat_ws(' ', currency, count, units), ', ' order by currency)
          from (
            select currency, count(*) as count, sum(amount) as units
            from payments
            where payments.shard = queue.shard
              and payments.result_id = queue.result_id
              and payments.status = 'succeeded'
              and not payments.is_test
            group by currency
          ) as made
        ) is distinct from (
          select string_agg(concat_ws(' ', currency, count, units), ', ' order by currency)
          from (
            select
              split_part(m.value, ' ', 1) as currency,
              sum(case m.kind when 'paid' then entry.times else 0 end) as count,
              sum(case m.kind when 'paidPart' then entry.times * split_part(m.value, ' ', 2)::bigint else 0 end) as units
            from unnest(queue.measures, queue.times) as entry (measure, times)
            join insight_measures m on m.id = entry.measure
            where m.kind in ('paid', 'paidPart')
            group by 1
          ) as counted
        )
      order by queue.result_id
      for update of queue
    ),
    recounted as (
      update insight_results
      set next_at = clock(),
        counted_steps = null,
        revision = insight_results.revision + 1
      from found
      where insight_results.shard = found.shard
        and insight_results.result_id = found.result_id
      returning 1
    )
    select (select count(*) from recounted)::integer as count, last.shard, last.id
    from (select) as one
    left join lateral (
      select shard, id
      from looked
      where (select count(*) from looked) = ${most}
      order by shard desc, id desc
      limit 1
    ) as last on true`;
  const { count, shard, id } = row;
  return { count, last: shard === null || id === null ? null : { shard, id } };
}

/** Records that the counts of all results include this kind of measure. */
export async function noteCountedKind(sql: Sql, kind: "paid"): Promise<void> {
  await sql`
    insert into counted_kinds (kind)
    values (${kind})
    on conflict do nothing`;
}

/** Records that the counts of some results may lack this kind of measure. */
export async function forgetCountedKind(sql: Sql, kind: "paid"): Promise<void> {
  await sql`
    delete from counted_kinds
    where kind = ${kind}`;
}

/** Whether the counts of all results include this kind of measure. */
export async function isCountedKind(sql: Sql, kind: "paid"): Promise<boolean> {
  const found = await first(sql`
    select
    from counted_kinds
    where kind = ${kind}`);
  return found !== undefined;
}
