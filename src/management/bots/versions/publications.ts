import { flowOf } from "../../../core/flow/complete.ts";
import { convertToLatest } from "../../../core/flow/convert.ts";
import { type Dialect, settingsInDialect } from "../../../core/flow/dialect.ts";
import type { FlowVersion } from "../../../core/flow/document.ts";
import { factsOf } from "../../../core/flow/facts.ts";
import { flowForGuest } from "../../../core/flow/guest.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { violatedConstraint } from "../../../platform/database/violations.ts";
import type { PageRequest } from "../../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { requireSeen, type Seen } from "../../../platform/http/requests/seen.ts";
import { newId } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { newPublicId } from "../../access/public-addresses.ts";
import { findBot } from "../bots.sql.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { addressOf } from "../flow-address.ts";
import { findingsOf } from "./lint.ts";
import { type RunningChatsPolicy, startMoving } from "./moves/running-chats.ts";
import {
  findPublication,
  findPublishedFlow,
  listPublications as listPublicationRows,
  type NewPublication,
  notifyFailedPublication,
  type PublishedRow,
  publishFlow,
  republish,
  unpublishBot,
} from "./publications.sql.ts";
import { failuresOf } from "./test-conversations.ts";
import { countVersions } from "./version-counts.sql.ts";

/** More collisions in a row are not a coincidence, because generated public ids end with 35 random bits. */
const publicIdAttempts = 5;

export type PublishOptions = {
  readonly note: string | null;
  readonly runningChats: RunningChatsPolicy;
  /** If not null, the version is published as a canary for only this share of new chats. */
  readonly percent: number | null;
};

export type PublishDraft = PublishOptions & {
  readonly isForced: boolean;
  readonly seen: Seen;
  /** The revision of the draft that the author saw. A newer draft is not published. */
  readonly revision?: number | undefined;
};

/**
 * Publishes the current draft. The first time, a bot without a public id gets an id that is generated from its name.
 * Throws `bot.conflict` if the draft is not at the given revision. Throws `flow.broken` if the linter finds errors, and
 * `flow.tests_failed` if required test conversations fail, unless publishing is forced. The publication records the
 * overruled errors.
 */
export async function publishBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { note, runningChats, percent, isForced, seen, revision }: PublishDraft,
) {
  const { workspaceId } = await requireBot(deps, caller, botId, "write");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  requireSeen(seen, bot.updatedAt);
  if (revision !== undefined && revision !== bot.revision) {
    throw new AppError("bot.conflict", {
      data: { revision: bot.revision, updatedAt: bot.updatedAt.toISOString() },
    });
  }
  const flow = flowOf(bot);
  const movesChats = isMoving(runningChats, percent);
  const findings = await findingsOf(deps, { workspaceId, botId }, flow);
  const warnings = findings.slice(0, limits.flow.warnings);
  const errors = findings.filter(({ severity }) => severity === "error");
  const rules = [...new Set(errors.map(({ rule }) => rule))];
  const refused = (code: "flow.broken" | "flow.tests_failed", problems: readonly string[]) =>
    notifyFailedPublication(deps.sql, { botId, userId: caller.userId, code, problems });
  if (errors.length > 0 && !isForced) {
    await refused("flow.broken", rules);
    throw new AppError("flow.broken", { data: { findings: warnings } });
  }
  const failures = await failuresOf(deps, { workspaceId, botId }, flow);
  if (failures.length > 0 && !isForced) {
    const names = failures.map(({ name }) => name);
    await refused("flow.tests_failed", names);
    throw new AppError("flow.tests_failed", { data: { failures } });
  }
  const overruledRules = failures.length > 0 ? [...rules, "failed_tests"] : rules;
  const hash = await addressOf(deps, { flow, caller: caller.userId });
  const content = { hash, flow, facts: factsOf(flow), revision: bot.revision };
  const id = newId();
  const row = await withPublicId(bot.name, (publicId) =>
    publishFlow(
      deps.sql,
      {
        botId,
        id,
        publishedBy: caller.userId,
        note,
        publicId,
        seen,
        overruledRules,
        movesChats,
        canaryPercent: percent,
      },
      content,
    ),
  );
  if (!row && seen) requireSeen(seen, (await findBot(deps.sql, botId))?.updatedAt ?? bot.updatedAt);
  if (!row) throw new AppError(percent === null ? "bot.not_found" : "bot.not_published");
  if (movesChats) await startMoving(deps, botId);
  deps.draftWatch.wake();
  return { ...published(row, { id, version: flow.version }), warnings };
}

/**
 * Publishes an earlier publication again under a new number. The draft does not change. Throws `publication.not_found`,
 * or `bot.not_published` for a canary without a published version.
 */
export async function republishBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { number, note, runningChats, percent }: PublishOptions & { readonly number: number },
) {
  await requireBot(deps, caller, botId, "write");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const id = newId();
  const movesChats = isMoving(runningChats, percent);
  const publication: Omit<NewPublication, "publicId"> = {
    botId,
    id,
    publishedBy: caller.userId,
    note,
    movesChats,
    canaryPercent: percent,
  };
  const row = await withPublicId(bot.name, (publicId) => republish(deps.sql, { ...publication, publicId }, { number }));
  if (!row) {
    const isThere = percent !== null && (await findPublication(deps.sql, { botId, number })) !== undefined;
    throw new AppError(isThere ? "bot.not_published" : "publication.not_found");
  }
  if (movesChats) await startMoving(deps, botId);
  deps.draftWatch.wake();
  return published(row, { id, version: row.version });
}

/**
 * Returns whether running chats move. Rejects a canary that moves chats, because chats move only to a version that is
 * published for all visitors.
 */
function isMoving(runningChats: RunningChatsPolicy, percent: number | null): boolean {
  if (percent !== null && runningChats === "move")
    throw invalidInput([
      {
        path: "runningChats",
        message: "must be `finish` together with `percent`: only promoting the canary can move chats",
      },
    ]);
  return runningChats === "move";
}

/**
 * Unpublishes the bot: no new chats start, and running chats continue. Throws `bot.not_published` if the bot was not
 * published.
 */
export async function unpublish(deps: BotDependencies, caller: Caller, botId: string): Promise<void> {
  await requireBot(deps, caller, botId, "write");
  if (!(await unpublishBot(deps.sql, botId))) throw new AppError("bot.not_published");
}

/**
 * Returns the published flow, or null if the bot is not published. For existing clients, `version` is the version of
 * the flow's format. In Parley's own API, or without a flow, it is always `3`. Throws `flow.no_start` for a flow that
 * cannot be converted.
 */
export async function getPublishedBot(
  deps: BotDependencies,
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

/** Returns a bot's publications, newest first. */
export async function listPublications(
  deps: BotDependencies,
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
    publications: await withFigures(deps, botId, shown),
    ...(last && { nextCursor: String(last.number) }),
  };
}

/** Returns the versions with the outcomes of their chats. */
export async function withFigures<Row extends { readonly number: number }>(
  deps: BotDependencies,
  botId: string,
  rows: readonly Row[],
) {
  const counted = await countVersions(deps.sql, { botId, numbers: rows.map(({ number }) => number) });
  return rows.map((row) => {
    const { views = 0, starts = 0, completions = 0 } = counted.find(({ number }) => number === row.number) ?? {};
    return { ...row, figures: { views, starts, completions } };
  });
}

/** Returns the publication number that a cursor contains. Throws `cursor.invalid`. */
function readNumber(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw new AppError("cursor.invalid");
  return Number(cursor);
}

/** Publishes with a generated public id. Retries with another id if the generated id belongs to another bot. */
export async function withPublicId<Row>(name: string, publish: (publicId: string) => Promise<Row>): Promise<Row> {
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
    // The bot's `updatedAt`, which has changed if the bot got its public id.
    updatedAt: row.botUpdatedAt,
  };
}
