import type { TransactionSql } from "postgres";
import type { Sql } from "./database/sql.ts";
import { violatedConstraint } from "./database/violations.ts";
import { lockFolders } from "./folders.ts";

/** What meets another write in the wrong order, or an address that is taken at that moment, begins again and finds it as it is then. */
const attempts = 5;
const takenAddresses = new Set<string | undefined>(["bots_public_id", "bots_custom_domain"]);
/** PostgreSQL's code of a transaction that was chosen to end a deadlock. */
const deadlock = "40P01";

/**
 * Does something in a transaction while nobody else changes the folders of these workspaces, nor what lies in them by more than one statement.
 * It may be done again: what it does outside of the transaction has to bear that.
 */
export async function inFolderTurn<Value>(
  sql: Sql,
  workspaceIds: readonly string[],
  work: (transaction: TransactionSql) => Promise<Value>,
): Promise<Value> {
  const inOrder = [...new Set(workspaceIds)].toSorted();
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await sql.begin(async (transaction) => {
        for (const workspaceId of inOrder) await lockFolders(transaction, workspaceId);
        return { value: await work(transaction) };
      });
      return done.value;
    } catch (error) {
      if (!isPassing(error) || attempt === attempts) throw error;
    }
  }
}

function isPassing(error: unknown): boolean {
  if (takenAddresses.has(violatedConstraint(error))) return true;
  return error instanceof Error && "code" in error && error.code === deadlock;
}
