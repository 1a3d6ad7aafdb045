import { apply, ChangeMisses } from "../../../core/editing/changes/apply.ts";
import type { Change } from "../../../core/editing/changes/change.ts";
import { readEnvelopes } from "../../../core/flow/check.ts";
import { completeFlow } from "../../../core/flow/complete.ts";
import { settingsFromDialect } from "../../../core/flow/dialect.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import type { PageRequest } from "../../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { type BotRow, findBot, updateDraft } from "../bots.sql.ts";
import type { StoredDraft } from "../draft-edits.sql.ts";
import { findSnapshot, type HistoryRow, listHistory, listInverses } from "./bot-changes.sql.ts";
import type { BotDependencies } from "./dependencies.ts";
import { type Author, viewAuthor } from "./draft-changes.ts";
import { documentOf, draftOf, editTo, restoring } from "./draft-edits.ts";

/** A series of one person's changes to a draft without a long pause. */
export type Sitting = {
  /** The draft's revision at the end of the sitting. */
  readonly revision: number;
  /** The draft's revision before the sitting. */
  readonly revisionBefore: number;
  readonly by: Author;
  readonly from: Date | string;
  readonly to: Date | string;
  readonly changeSets: number;
  /** The distinct titles of the last changes in the sitting, newest first. */
  readonly titles: readonly string[];
};

/** The number of change sets that one page examines. A longer sitting is split into several sittings. */
const setsPerPage = 1_000;
const titlesPerSitting = 5;

/** Returns the sittings of a bot's draft with their authors, newest first. */
export async function listDraftHistory(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { limit = limits.lists.defaultPageSize, cursor }: PageRequest,
): Promise<{ sittings: readonly Sitting[]; nextCursor?: string }> {
  await requireBot(deps, caller, botId, "read");
  const before = readRevision(cursor);
  const rows = await listHistory(deps.sql, { botId, before, limit: setsPerPage });
  const all = sittingsOf(rows);
  const sittings = all.slice(0, limit);
  const last = sittings.at(-1);
  const hasMore = all.length > sittings.length || rows.length === setsPerPage;
  return { sittings, ...(hasMore && last && { nextCursor: String(last.revisionBefore + 1) }) };
}

/**
 * Returns a draft at an earlier revision. Throws `revision.not_found` if the draft has no such revision or the log
 * starts later.
 */
export async function getDraftRevision(deps: BotDependencies, caller: Caller, botId: string, revision: number) {
  await requireBot(deps, caller, botId, "read");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  return { revision, ...documentOf(await draftAt(deps, bot, revision)) };
}

/** The maximum number of attempts. An attempt fails if the draft is written concurrently. */
const restoreAttempts = 5;
const tooLarge = "must have a flow of at most 10 MB";

/**
 * Restores the draft of a revision with a new change set, unless the draft is already equal. Throws `bot.conflict`
 * after too many concurrent writes.
 */
export async function restoreRevision(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  revision: number,
): Promise<{ revision: number; updatedAt: Date }> {
  await requireBot(deps, caller, botId, "write");
  let previous: BotRow | undefined;
  for (let attempt = 1; ; attempt++) {
    const bot = await findBot(deps.sql, botId);
    if (!bot) throw new AppError("bot.not_found");
    if (bot.isArchived) throw new AppError("bot.archived");
    // No one has written the draft since the previous attempt, so that attempt failed because the draft is too large.
    if (previous?.revision === bot.revision) throw invalidInput([{ path: "revision", message: tooLarge }]);
    previous = bot;
    const { revision: current, updatedAt } = bot;
    if (attempt > restoreAttempts) {
      throw new AppError("bot.conflict", { data: { revision: current, updatedAt: updatedAt.toISOString() } });
    }
    const draft = await draftAt(deps, bot, revision);
    const edit = editTo(bot, draft, { caller, ...restoring({ revision }) });
    if (edit.sets.length === 0) return { revision: current, updatedAt };
    const row = await updateDraft(deps.sql, { botId, changes: draft, seen: undefined, edit });
    if (!row) continue;
    deps.draftWatch.wake();
    return { revision: row.revision, updatedAt: row.updatedAt };
  }
}

/**
 * Returns the draft of a revision by reverting later changes. Starts from the next whole draft in the log, or from the
 * current draft. Throws `revision.not_found` if the revision is in the future or the log does not contain all later
 * changes.
 */
async function draftAt(deps: BotDependencies, bot: BotRow, revision: number): Promise<StoredDraft> {
  const { id: botId } = bot;
  const missing = () => new AppError("revision.not_found", { data: { revision: bot.revision } });
  if (revision > bot.revision) throw missing();
  const snapshot = await findSnapshot(deps.sql, { botId, from: revision });
  const start = snapshot ?? { revision: bot.revision, draft: draftOf(bot) };
  const rows = await listInverses(deps.sql, { botId, after: revision, to: start.revision });
  if (rows.length !== start.revision - revision) throw missing();
  const changes = rows.flatMap(({ inverse }) => inverse);
  const document = takenBack(start.draft, changes);
  if (!document) throw missing();
  const { editor, ...parts } = document;
  const flow = completeFlow(readEnvelopes(parts, "bot"));
  const settings = settingsFromDialect("bot", flow.settings);
  return { ...flow, settings, editor: isJsonObject(editor) ? editor : null };
}

/**
 * Reverts changes of a draft. Returns undefined if the log lacks a write to the draft, such as a write of an earlier
 * release during a rolling upgrade.
 */
function takenBack(draft: StoredDraft, changes: readonly Change[]): JsonObject | undefined {
  try {
    return apply(documentOf(draft), changes);
  } catch (error) {
    if (error instanceof ChangeMisses) return undefined;
    throw error;
  }
}

function sittingsOf(rows: readonly HistoryRow[]): Sitting[] {
  const sittings: Sitting[] = [];
  for (const row of rows) {
    const { revision, title, createdAt } = row;
    const open = sittings.at(-1);
    const isSame = open && isOfSitting(open, row);
    if (isSame) sittings.pop();
    const titles = open && isSame ? open.titles : [];
    sittings.push({
      revision: open && isSame ? open.revision : revision,
      revisionBefore: revision - 1,
      by: viewAuthor(row),
      from: createdAt,
      to: open && isSame ? open.to : createdAt,
      changeSets: open && isSame ? open.changeSets + 1 : 1,
      titles: titles.includes(title) || titles.length === titlesPerSitting ? titles : [...titles, title],
    });
  }
  return sittings;
}

/** Whether a row belongs to the sitting. The row must be older than all rows of the sitting. */
function isOfSitting({ by, from }: Sitting, { userId, createdAt }: HistoryRow): boolean {
  const pauseMs = new Date(from).getTime() - createdAt.getTime();
  return (by?.userId ?? null) === userId && pauseMs <= limits.editing.sittingMinutes * 60_000;
}

/** Returns the revision that a cursor contains. Throws `cursor.invalid`. */
function readRevision(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw new AppError("cursor.invalid");
  return Number(cursor);
}
