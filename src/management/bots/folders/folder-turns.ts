import type { Sql } from "../../../platform/database/sql.ts";
import { inTurn, isDeadlock, type Transaction } from "../../../platform/database/turns.sql.ts";
import { violatedConstraint } from "../../../platform/database/violations.ts";
import { lockFolders } from "./folders.sql.ts";

/**
 * The constraints that a transaction violates if another request takes the same address at the same moment. Such a
 * transaction is run again.
 */
const takenAddresses = new Set<string | undefined>(["bots_public_id", "bots_custom_domain"]);

/**
 * Runs a transaction that locks the folders of these workspaces (`lockFolders`), so that only one such transaction at a
 * time changes their folders. The transaction may run several times, so effects outside of it must be repeatable.
 */
export async function inFolderTurn<Value>(
  sql: Sql,
  workspaceIds: readonly string[],
  work: (transaction: Transaction) => Promise<Value>,
): Promise<Value> {
  const inOrder = [...new Set(workspaceIds)].toSorted();
  const locked = async (transaction: Transaction) => {
    for (const workspaceId of inOrder) await lockFolders(transaction, workspaceId);
    return await work(transaction);
  };
  return inTurn(sql, locked, (error) => isDeadlock(error) || takenAddresses.has(violatedConstraint(error)));
}
