import type postgres from "postgres";
import { limits } from "../../limits/index.ts";
import { codeOf } from "../thrown.ts";
import type { Sql } from "./sql.ts";

/** The one connection of a transaction. */
export type Transaction = postgres.TransactionSql;

/** A transaction that deadlocks with another is restarted and reads the new state. */
const attempts = 5;
/** PostgreSQL's code of a transaction that was chosen to end a deadlock. */
const deadlock = "40P01";

/**
 * Runs a transaction whose first statement takes locks, so that the second of two reads the writes of the first. It may
 * be repeated after a deadlock: its effects outside of the transaction must be safe to repeat. If it is idle for
 * `idleTransactionMs`, the server ends it.
 */
export async function inTurn<Value>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<Value>,
  isPassing: (error: unknown) => boolean = isDeadlock,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await sql.begin(async (transaction) => {
        // Sent before the first statement, which does not wait for the answer.
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
