import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import type { PaidSum } from "../../core/measures/paid.ts";
import { wholeUnits } from "../../core/payments/currencies.ts";
import type { Charged, Payment } from "../../effects/payments/payment-store.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { newId, shardOf } from "../../platform/ids.ts";
import { recountPaid } from "../counts/counted-results.sql.ts";
import { botEvents } from "../events/bot-events.sql.ts";

/** Returns a payment by its id, or undefined. */
export async function findPayment(sql: Sql, paymentId: string): Promise<Payment | undefined> {
  return first(sql<Payment[]>`
    select ${columns(sql)}
    from payments
    where shard = ${shardOf(paymentId)}
      and id = ${paymentId}`);
}

/** Returns a payment by its id; undefined if it does not exist or is older than this number of seconds. */
export async function findRecentPayment(
  sql: Sql,
  paymentId: string,
  { seconds }: { readonly seconds: number },
): Promise<Payment | undefined> {
  return first(sql<Payment[]>`
    select ${columns(sql)}
    from payments
    where shard = ${shardOf(paymentId)}
      and id = ${paymentId}
      and ${isRecent(sql, sql`created_at`, seconds)}`);
}

/** Returns the newest payment of a session's block with which no step has continued, or undefined. */
export async function findOpenPayment(
  sql: Sql,
  { sessionId, blockId }: { sessionId: string; blockId: string },
): Promise<Payment | undefined> {
  return first(sql<Payment[]>`
    select ${columns(sql)}
    from payments
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}
      and block_id = ${blockId}
      and taken_revision is null
    order by id desc
    limit 1`);
}

/**
 * Returns the ids of the session's open payments: for each of these blocks, the newest payment that is not canceled and
 * with which no step has continued.
 */
export async function listOpenPayments(
  sql: Sql,
  { sessionId, blockIds }: { sessionId: string; blockIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from (
      select distinct on (block_id) block_id, id
      from payments
      where shard = ${shardOf(sessionId)}
        and session_id = ${sessionId}
        and block_id = any(${blockIds})
        and taken_revision is null
        -- A newer one that was gone back over hides no older one that was made.
        and status <> 'canceled'
      order by block_id, id desc
    ) as newest
    order by id`;
  return rows.map(({ id }) => id);
}

/** Stores a payment before its provider is called. Returns undefined if its session already had `most` attempts. */
export async function insertPayment(
  sql: Sql,
  row: Pick<Payment, "sessionId" | "botId" | "resultId" | "blockId" | "credentialsId" | "isTest"> &
    Charged & { readonly linkedResultId: string | null },
  { most, checkSeconds }: { most: number; checkSeconds: number },
): Promise<Payment | undefined> {
  const shard = shardOf(row.sessionId);
  return first(sql<Payment[]>`
    insert into payments
      (shard, id, session_id, bot_id, result_id, linked_result_id, block_id, credentials_id, is_test, amount, currency, details, next_check_at)
    select
      ${shard}::smallint, ${newId(shard)}::uuid, ${row.sessionId}::uuid, ${row.botId}::uuid, ${row.resultId}::uuid, ${row.linkedResultId}::uuid,
      ${row.blockId}::text, ${row.credentialsId}::uuid, ${row.isTest}::boolean, ${row.amount}::integer, ${row.currency}::text,
      ${row.details && JSON.stringify(row.details)}::text::json, clock() + make_interval(secs => ${checkSeconds})
    where ${attemptsOf(sql, row.sessionId)} < ${most}::integer
    returning ${columns(sql)}`);
}

/**
 * Starts the next attempt. Returns undefined if another attempt was started meanwhile, or if the session already had
 * `most` attempts. `isOfStep` means that a step requests the attempt. For any other caller, a canceled payment stays
 * canceled.
 */
export async function beginAttempt(
  sql: Sql,
  { id, attempt, sessionId }: Payment,
  { amount, currency, details, isCheckout }: Charged & { readonly isCheckout: boolean },
  { most, checkSeconds, isOfStep }: { most: number; checkSeconds: number; isOfStep: boolean },
): Promise<Payment | undefined> {
  return first(sql<Payment[]>`
    update payments
    set attempt = attempt + 1,
      amount = ${amount},
      currency = ${currency},
      details = ${details && JSON.stringify(details)}::text::json,
      is_checkout = ${isCheckout},
      intent_id = null,
      checkout_id = null,
      status = 'open',
      next_check_at = coalesce(next_check_at, clock() + make_interval(secs => ${checkSeconds})),
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where shard = ${shardOf(id)}
      and id = ${id}
      and attempt = ${attempt}
      and (${isOfStep}::boolean or status <> 'canceled')
      and ${attemptsOf(sql, sessionId)} < ${most}::integer
    returning ${columns(sql)}`);
}

/** Selects the number of attempts of a session. Each attempt requests an object from the provider. */
function attemptsOf(sql: Sql, sessionId: string) {
  return sql`(
      select coalesce(sum(others.attempt), 0)
      from payments others
      where others.shard = ${shardOf(sessionId)}::smallint
        and others.session_id = ${sessionId}::uuid
    )`;
}

/**
 * Records that nobody can pay this attempt any more, and that the provider need not be queried. Returns false if the
 * attempt is not the current attempt, or has succeeded.
 */
export async function endAttempt(sql: Sql, { id, attempt }: Payment): Promise<boolean> {
  const rows = await sql`
    update payments
    set status = 'canceled',
      next_check_at = null,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where shard = ${shardOf(id)}
      and id = ${id}
      and attempt = ${attempt}
      and status <> 'succeeded'
    returning 1`;
  return rows.length > 0;
}

/** Stores the ids of the provider's objects. Returns undefined if their attempt is no longer the current attempt. */
export async function keepObjects(
  sql: Sql,
  { id, attempt }: Payment,
  { intentId, checkoutId }: { readonly intentId?: string; readonly checkoutId?: string },
): Promise<Payment | undefined> {
  return first(sql<Payment[]>`
    update payments
    set intent_id = coalesce(${intentId ?? null}, intent_id),
      checkout_id = coalesce(${checkoutId ?? null}, checkout_id),
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where shard = ${shardOf(id)}
      and id = ${id}
      and attempt = ${attempt}
    returning ${columns(sql)}`);
}

/**
 * Records the status of a payment's current attempt at its provider, or the success of any of its attempts. A succeeded
 * payment never changes. The first success marks the result as paid, recounts it, and sends `payment.succeeded`.
 * Returns whether the status is new.
 */
export async function notePayment(sql: Sql, payment: Payment, status: PaymentStatus): Promise<boolean> {
  const { id, attempt, amount, currency, isTest, blockId } = payment;
  const whole = wholeUnits({ currency, units: amount });
  const isSucceeded = status === "succeeded";
  const rows = await sql`
    with noted as (
      update payments
      set status = ${status},
        updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      where shard = ${shardOf(id)}
        and id = ${id}
        and status not in ('succeeded', ${status})
        and (${isSucceeded} or attempt = ${attempt})
      returning shard, id, session_id, bot_id, result_id
    ),
    paid as (
      update results
      set is_paid = true, updated_at = updated_at
      from noted
      where ${isSucceeded}
        and results.shard = noted.shard
        and results.id = noted.result_id
      returning results.shard, results.id, results.bot_id
    ),
    ${recountPaid(sql)}
    ${botEvents(sql, {
      type: "payment.succeeded",
      from: sql`noted join paid on paid.id = noted.result_id`,
      botId: sql`noted.bot_id`,
      result: { id: sql`noted.result_id`, sessionId: sql`noted.session_id` },
      orderKey: sql`noted.session_id`,
      content: {
        paymentId: sql`${id}::text`,
        blockId: sql`${blockId}::text`,
        amount: sql`${whole}::float8`,
        currency: sql`${currency}::text`,
        mode: sql`${isTest ? "test" : "live"}::text`,
      },
    })}
    select from noted`;
  return rows.length > 0;
}

/** Stops checking a payment at its provider, because its chat has a step that continues with the payment. */
export async function endPaymentChecks(sql: Sql, { id }: Payment): Promise<void> {
  await sql`
    update payments
    set next_check_at = null
    where shard = ${shardOf(id)}
      and id = ${id}`;
}

/**
 * Records the step that is about to continue with a payment, and the result of the linked bot to which the payment now
 * belongs. If the step's process dies before saving the step, another step may get the same revision.
 */
export async function takePayment(
  sql: Sql,
  { id }: Payment,
  { revision, linkedResultId }: { revision: number; linkedResultId: string | null },
): Promise<void> {
  await sql`
    update payments
    set taken_revision = ${revision}, linked_result_id = ${linkedResultId}, updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where shard = ${shardOf(id)}
      and id = ${id}`;
}

/**
 * Records that a payment succeeded after its chat had continued without it. Returns false if this is not the case, or
 * was already recorded.
 */
export async function noteLatePayment(sql: Sql, paymentId: string): Promise<boolean> {
  const rows = await sql`
    update payments
    set is_late = true, updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where shard = ${shardOf(paymentId)}
      and id = ${paymentId}
      and status = 'succeeded'
      and not is_late
      and not exists (
        select from steps
        where steps.shard = payments.shard
          and steps.session_id = payments.session_id
          and steps.revision = payments.taken_revision
          and steps.reply ->> 'type' <> 'timeout'
      )
    returning 1`;
  return rows.length > 0;
}

export type PaymentRow = Pick<Payment, "id" | "intentId" | "amount" | "currency" | "status" | "blockId" | "isTest"> & {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether the payment belongs to the result of the linking bot. */
  readonly isLinked: boolean;
};

/** Returns the payments of a result, and the payments that another bot's chat made while it was in this bot. */
export async function listPayments(sql: Sql, resultId: string): Promise<PaymentRow[]> {
  return sql<PaymentRow[]>`
    select id, block_id, intent_id, amount, currency, status, is_test, created_at, updated_at, false as is_linked
    from payments
    where shard = ${shardOf(resultId)}
      and result_id = ${resultId}
    union all
    select payments.id, block_id, intent_id, amount, currency, status, is_test, payments.created_at, payments.updated_at, true
    from results
    join payments on payments.shard = results.shard
      and payments.session_id = results.writer_session_id
      and payments.linked_result_id = results.id
    where results.shard = ${shardOf(resultId)}
      and results.id = ${resultId}
    order by id`;
}

/**
 * Returns the sums of succeeded payments by currency, in smallest units, for a bot's results that started in a window.
 * Leaves out test payments and deleted results. Reads each payment, so it is used only until payments are counted
 * (`counted-payments.ts`).
 */
export async function sumPayments(
  sql: Sql,
  {
    botId,
    from,
    to,
    version,
    channel,
  }: {
    readonly botId: string;
    readonly from: Date | null;
    readonly to: Date | null;
    readonly version: number | undefined;
    readonly channel?: string | undefined;
  },
): Promise<PaidSum[]> {
  return sql<PaidSum[]>`
    select
      payments.currency,
      sum(payments.amount)::double precision as units,
      count(*)::integer as count
    from payments
    cross join lateral (
      select
      from results
      where results.shard = payments.shard
        and results.id = payments.result_id
        and not results.is_archived
        and (${from}::timestamptz is null or results.created_at >= ${from})
        and (${to}::timestamptz is null or results.created_at < ${to})
        ${version === undefined ? sql`` : sql`and results.publication_number = ${version}`}
        ${channel === undefined ? sql`` : sql`and results.channel = ${channel}`}
      -- Without it a plan may read the results of all bots to join them.
      limit 1
    ) as paid
    where payments.bot_id = ${botId}
      and payments.status = 'succeeded'
      and not payments.is_test
      -- A first step's payment is made moments before its result is saved.
      and (${from}::timestamptz is null or payments.created_at >= ${from}::timestamptz - interval '1 hour')
    group by payments.currency
    order by payments.currency`;
}

/**
 * Reserves payments whose check at the provider is due. The check is repeated after `againSeconds` until the payment is
 * `daySeconds` old. Afterwards, while the payment can still be made, it is repeated after `daySeconds` until the
 * payment is `days` old.
 */
export async function leasePaymentsToCheck(
  sql: Sql,
  { limit, againSeconds, daySeconds, days }: { limit: number; againSeconds: number; daySeconds: number; days: number },
): Promise<Payment[]> {
  return sql<Payment[]>`
    with due as materialized (
      select shard, id
      from payments
      where next_check_at <= clock()
      order by next_check_at
      limit ${limit}
      for update skip locked
    )
    update payments
    set next_check_at = case
      when payments.created_at + make_interval(secs => ${daySeconds}) > clock()
      then clock() + make_interval(secs => ${againSeconds})
      when payments.status in ('open', 'processing') and payments.created_at + make_interval(days => ${days}) > clock()
      then clock() + make_interval(secs => ${daySeconds})
    end
    from unnest((select array_agg(shard) from due), (select array_agg(id) from due)) as d (shard, id)
    where payments.shard = d.shard
      and payments.id = d.id
    returning ${columns(sql)}`;
}

/** Deletes payments of previews after two days. Returns the number of deleted rows. */
export async function deleteOldPreviewPayments(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select shard, id
      from payments
      where result_id is null
        and created_at < clock() - interval '2 days'
      limit ${limit}
    )
    delete from payments
    using unnest((select array_agg(shard) from old), (select array_agg(id) from old)) as d (shard, id)
    where payments.shard = d.shard
      and payments.id = d.id
    returning 1`;
  return rows.length;
}

function columns(sql: Sql) {
  return sql`
    payments.id, payments.session_id, payments.bot_id, payments.result_id, payments.block_id, payments.credentials_id, payments.is_test,
    payments.amount, payments.currency, payments.details, payments.status, payments.attempt, payments.is_checkout, payments.intent_id,
    payments.checkout_id, payments.taken_revision`;
}
