import type { Sql } from "../../platform/database/sql.ts";
import { deleteSilentContacts, listForgottenOptOuts, rememberOptOuts } from "./old-messages.sql.ts";
import { createOptOuts } from "./opt-outs.ts";

/**
 * Deletes contacts who have been silent for this many days and have no messages left. Opt-outs remain stored as hashes
 * of the addresses. Returns the number of deleted contacts.
 */
export async function deleteForgottenContacts(
  sql: Sql,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const optOuts = createOptOuts(sql);
  const forgotten = await listForgottenOptOuts(sql, { days, limit });
  for (const { connectionId, addresses } of forgotten) {
    const hashes = await Promise.all(addresses.map((address) => optOuts.hashOf(connectionId, address)));
    await rememberOptOuts(
      sql,
      connectionId,
      hashes.map((hash) => Buffer.from(hash).toString("hex")),
    );
  }
  return deleteSilentContacts(sql, { days, limit, remembered: forgotten.map(({ id }) => id) });
}
