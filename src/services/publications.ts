import { type Dialect, settingsInDialect } from "../compatibility/dialect.ts";
import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { canonicalHash } from "../flow/canonical.ts";
import { flowOf } from "../flow/complete.ts";
import { convertToLatest } from "../flow/convert.ts";
import type { FlowVersion } from "../flow/document.ts";
import { factsOf } from "../flow/facts.ts";
import { flowForGuest } from "../flow/guest.ts";
import { findWarnings } from "../flow/warnings.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { findBot } from "../store/bots.ts";
import { violatedConstraint } from "../store/database/violations.ts";
import {
  findPublishedFlow,
  listPublications as listPublicationRows,
  type NewPublication,
  type PublishedRow,
  publishFlow,
  republish,
  unpublishBot,
} from "../store/publications.ts";
import { type Caller, requireBot } from "./access.ts";
import type { PageRequest } from "./cursor.ts";
import { newPublicId } from "./public-addresses.ts";

/** Generated public ids end in 35 random bits: more collisions in a row are not a coincidence. */
const publicIdAttempts = 5;

/** Publishes the draft as it is now. The first time, a bot without a public id gets one generated from its name. */
export async function publishBot(deps: Dependencies, caller: Caller, botId: string, { note }: { note: string | null }) {
  await requireBot(deps, caller, botId, "write");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const flow = flowOf(bot);
  const content = { hash: canonicalHash(flow), flow, facts: factsOf(flow) };
  const id = newId();
  const row = await withPublicId(bot.name, (publicId) =>
    publishFlow(deps.sql, { botId, id, publishedBy: caller.userId, note, movesChats: false, canaryPercent: null, publicId }, content),
  );
  if (!row) throw new AppError("bot.not_found");
  return { ...published(row, { id, version: flow.version }), warnings: findWarnings(flow) };
}

/** Publishes an earlier publication again, under a new number. The draft stays as it is. */
export async function republishBot(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  { number, note }: { number: number; note: string | null },
) {
  await requireBot(deps, caller, botId, "write");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const id = newId();
  const publication: Omit<NewPublication, "publicId"> = { botId, id, publishedBy: caller.userId, note, movesChats: false, canaryPercent: null };
  const row = await withPublicId(bot.name, (publicId) => republish(deps.sql, { ...publication, publicId }, { number }));
  if (!row) throw new AppError("publication.not_found");
  return published(row, { id, version: row.version });
}

/** Ends the publication: no new chats start, open ones continue. Throws `bot.not_published` when it was not published. */
export async function unpublish(deps: Dependencies, caller: Caller, botId: string): Promise<void> {
  await requireBot(deps, caller, botId, "write");
  if (!(await unpublishBot(deps.sql, botId))) throw new AppError("bot.not_published");
}

/**
 * The published flow, or null when the bot is not published. `version` is what clients of each dialect expect there: a fixed
 * word, or the version that the flow was published in.
 */
export async function getPublishedBot(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  { isConverted, dialect }: { isConverted: boolean; dialect: Dialect },
) {
  const { mode } = await requireBot(deps, caller, botId, "glance");
  const row = await findPublishedFlow(deps.sql, botId);
  if (!row) return { publishedBot: null, version: "3" as const };
  const latest = isConverted ? convertToLatest(row.flow) : row.flow;
  if (!latest) throw new AppError("flow.no_start");
  const flow = mode === "guest" ? flowForGuest(latest) : latest;
  const publishedBot = {
    id: row.id,
    version: flow.version,
    createdAt: row.createdAt,
    updatedAt: row.createdAt,
    botId,
    groups: flow.groups,
    events: flow.events,
    edges: flow.edges,
    variables: flow.variables,
    theme: flow.theme,
    settings: settingsInDialect(dialect, flow.settings),
  };
  return { publishedBot, version: dialect === "bot" ? ("3" as const) : row.flow.version };
}

/** A bot's publications, newest first. */
export async function listPublications(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  { limit, cursor }: PageRequest,
) {
  await requireBot(deps, caller, botId, "read");
  const size = limit ?? limits.lists.defaultPageSize;
  const rows = await listPublicationRows(deps.sql, { botId, beforeNumber: readNumber(cursor), limit: size + 1 });
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  return {
    publications: shown,
    ...(last && { nextCursor: String(last.number) }),
  };
}

/** Publications are in the order of their numbers, so the number is the cursor. */
function readNumber(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw new AppError("cursor.invalid");
  return Number(cursor);
}

/** Retries with another generated public id while it belongs to another bot. */
async function withPublicId<Row>(name: string, publish: (publicId: string) => Promise<Row>): Promise<Row> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await publish(newPublicId(name));
    } catch (error) {
      if (violatedConstraint(error) !== "bots_public_id" || attempt === publicIdAttempts) throw error;
    }
  }
}

function published(row: PublishedRow, { id, version }: { id: string; version: FlowVersion }) {
  return {
    publishedBot: { id, version, updatedAt: row.createdAt },
    number: row.number,
    publicId: row.publicId,
    // The bot's, which is new if the bot got its public id here.
    updatedAt: row.botUpdatedAt,
  };
}
