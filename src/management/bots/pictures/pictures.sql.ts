import type { FlowPicture } from "../../../core/editing/flow-picture.ts";
import type { StoredFlow } from "../../../core/flow/document.ts";
import { bulk, integer, text, uuid } from "../../../platform/database/bulk.ts";
import { isRecent } from "../../../platform/database/spans.sql.ts";
import type { Sql } from "../../../platform/database/sql.ts";

export type BotToPicture = Pick<StoredFlow, "events" | "groups" | "edges"> & {
  readonly id: string;
  readonly revision: number;
};

/**
 * Returns bots that are not archived and whose draft differs from their picture, unless the picture was drawn less than
 * `seconds` ago.
 */
export async function listBotsToPicture(
  sql: Sql,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<BotToPicture[]> {
  return sql<BotToPicture[]>`
    select id, revision, events, groups, edges
    from bots
    where not is_archived
      and picture_revision is distinct from revision
      and (picture_at is null or not ${isRecent(sql, sql`picture_at`, seconds)})
    limit ${limit}`;
}

type DrawnPicture = { readonly botId: string; readonly revision: number; readonly picture: FlowPicture };

const pictureRows = bulk<DrawnPicture>({
  bot_id: uuid(({ botId }) => botId),
  revision: integer(({ revision }) => revision),
  picture: text(({ picture }) => JSON.stringify(picture)),
});

/** Stores the pictures of these revisions. The time of the bots' last change stays the same. */
export async function savePictures(sql: Sql, pictures: readonly DrawnPicture[]): Promise<void> {
  await sql`
    with given as materialized (
      select bots.id, drawn.revision, drawn.picture
      from ${pictureRows(sql, pictures)} as drawn
      join bots on bots.id = drawn.bot_id
      order by bots.id
      for update of bots
    )
    update bots
    set picture = given.picture::json,
      picture_revision = given.revision,
      picture_at = clock()
    from given
    where bots.id = given.id`;
}
