import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A payment as its session shows it. The amount is in the smallest unit of the currency. */
export type PaidRow = { readonly id: string; readonly amount: number; readonly currency: string };

/** Returns a session's stored payments with these ids. */
export async function listPaid(
  sql: Sql,
  { sessionId, paymentIds }: { readonly sessionId: string; readonly paymentIds: readonly string[] },
): Promise<readonly PaidRow[]> {
  return sql<PaidRow[]>`
    select id, amount, currency
    from payments
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}
      and id = any(${[...paymentIds]}::uuid[])`;
}
