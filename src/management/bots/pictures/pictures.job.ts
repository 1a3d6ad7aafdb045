import { pictureOf } from "../../../core/editing/flow-picture.ts";
import type { EditorFamily } from "../../../core/interpreter/schemas/editor-families.ts";
import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import type { CleanUp } from "../../../platform/queue/clean-up.ts";
import { listBlockTypes } from "../../block-types/block-types.ts";
import { listBotsToPicture, savePictures } from "./pictures.sql.ts";

/** Draws pictures of the flows of bots whose draft has changed, at most once a minute for each bot. */
export function botPictures(sql: Sql): CleanUp {
  return {
    name: "pictures-of-bots",
    cron: "* * * * *",
    did: "Drew",
    removeSome: () => drawSome(sql),
  };
}

async function drawSome(sql: Sql): Promise<number> {
  const bots = await listBotsToPicture(sql, { seconds: limits.pictures.seconds, limit: limits.pictures.batch });
  if (bots.length === 0) return 0;
  const families = new Map<string, EditorFamily>(listBlockTypes().map(({ type, editor }) => [type, editor.family]));
  await savePictures(
    sql,
    bots.map(({ id: botId, revision, ...flow }) => ({
      botId,
      revision,
      picture: pictureOf(flow, (type) => families.get(type)),
    })),
  );
  return bots.length;
}
