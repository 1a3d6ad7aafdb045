import type { Sql } from "../../../platform/database/sql.ts";
import { inTurn, isDeadlock, type Transaction } from "../../../platform/database/turns.sql.ts";
import { violatedConstraint } from "../../../platform/database/violations.ts";
import { lockFolders } from "./folders.sql.ts";

/** An address that is taken at that moment is looked at again. */
const takenAddresses = new Set<string | undefined>(["bots_public_id", "bots_custom_domain"]);

/**
 * Does something in a transaction while nobody else changes the folders of these workspaces, nor what lies in them by more than one statement.
 * It may be done again: what it does outside of the transaction has to bear that.
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
