import type postgres from "postgres";
import { limits } from "../../limits/index.ts";
import { codeOf } from "../thrown.ts";
import type { Sql } from "./sql.ts";

/** A transaction with its reserved connection. */
export type Transaction = postgres.TransactionSql;

/** How often a transaction is attempted. After a deadlock, the transaction restarts and reads the new state. */
const attempts = 5;
/** PostgreSQL's error code for a transaction that was aborted to resolve a deadlock. */
const deadlock = "40P01";

/**
 * Runs a transaction whose first statement takes locks, so that a concurrent transaction reads its writes. The
 * transaction may be repeated after an error that `isPassing` accepts, so its side effects must be idempotent. The
 * server ends the transaction if it is idle for `idleTransactionMs`.
 */
export async function inTurn<Value>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<Value>,
  isPassing: (error: unknown) => boolean = isDeadlock,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await sql.begin(async (transaction) => {
        // Sent before the first statement. The first statement does not wait for the response.
        boundIdleness(transaction).execute();
        return { value: await work(transaction) };
      });
      return done.value;
    } catch (error) {
      if (!isPassing(error) || attempt === attempts) throw error;
    }
  }
}

function boundIdleness(transaction: Transaction) {
  return transaction`select set_config('idle_in_transaction_session_timeout', ${String(limits.database.idleTransactionMs)}, true)`;
}

export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === deadlock;
}
