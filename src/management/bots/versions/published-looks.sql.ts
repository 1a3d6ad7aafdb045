import { first, type Sql } from "../../../platform/database/sql.ts";

/** The appearance of a published bot, as stored in its flow. Variables in it are not replaced. */
export type PublishedLookRow = {
  readonly publicId: string;
  readonly name: string;
  readonly customDomain: string | null;
  readonly version: string | null;
  readonly theme: unknown;
  readonly settings: unknown;
};

/**
 * Returns the appearance of the published bot with this public id, in upper or lower case; undefined if there is no
 * such bot.
 */
export async function findPublishedLook(sql: Sql, publicId: string): Promise<PublishedLookRow | undefined> {
  return first(sql<PublishedLookRow[]>`
    select
      b.public_id,
      b.name,
      b.custom_domain,
      f.content ->> 'version' as version,
      f.content -> 'theme' as theme,
      f.content -> 'settings' as settings
    from bots b
    join publications p on p.bot_id = b.id and p.number = b.publication_number
    join flows f on f.bot_id = b.id and f.hash = p.flow_hash
    where lower(b.public_id) = lower(${publicId}) and not b.is_archived`);
}
