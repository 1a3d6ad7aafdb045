import type { Sql } from "./database/sql.ts";

/** The public id of the bot that visitors meet at a domain (with its path, if it has one), whatever their case. */
export async function findPublicIdAt(sql: Sql, customDomain: string): Promise<string | undefined> {
  const [bot] = await sql<{ publicId: string }[]>`
    select public_id
    from bots
    where lower(custom_domain) = lower(${customDomain}) and public_id is not null and not is_archived`;
  return bot?.publicId;
}
