import { compare } from "../../../core/editing/changes/compare.ts";
import { diff } from "../../../core/editing/changes/diff.ts";
import { canonicalHash } from "../../../core/flow/canonical.ts";
import { flowOf } from "../../../core/flow/complete.ts";
import { convertToLatest } from "../../../core/flow/convert.ts";
import { settingsInDialect } from "../../../core/flow/dialect.ts";
import type { StoredFlow } from "../../../core/flow/document.ts";
import { factsOf } from "../../../core/flow/facts.ts";
import { AppError } from "../../../errors.ts";
import { requireSeen, type Seen } from "../../../platform/http/requests/seen.ts";
import { newId } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { type BotView, viewBot } from "../bot-view.ts";
import { findBot } from "../bots.sql.ts";
import type { ComparedVersion, Comparison } from "../drafts/comparison-schemas.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { editTo, restoring } from "../drafts/draft-edits.ts";
import { restoreDraft } from "../drafts/restored-drafts.sql.ts";
import { findCurrentNumber, findPublication, type PublicationRow } from "./publications.sql.ts";
import { withFigures } from "./publications.ts";

/**
 * Returns one publication of a bot with its flow. `isConverted` converts the flow to the latest version of the format.
 * Throws `publication.not_found`, or `flow.no_start` for a flow that cannot be converted.
 */
export async function getPublication(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { number, isConverted }: { number: number; isConverted: boolean },
) {
  await requireBot(deps, caller, botId, "read");
  const { flow: stored, ...publication } = await requirePublication(deps, botId, number);
  const flow = isConverted ? convertToLatest(stored) : stored;
  if (!flow) throw new AppError("flow.no_start");
  const [counted] = await withFigures(deps, botId, [publication]);
  if (!counted) throw new AppError("publication.not_found");
  return { ...counted, ...shown(flow) };
}

/** Returns the differences between two versions of a bot. `from` defaults to the current publication. */
export async function compareVersions(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { from, to, withChanges }: { from: string | undefined; to: string; withChanges: boolean },
): Promise<Comparison> {
  await requireBot(deps, caller, botId, "read");
  const [before, after] = [await readVersion(deps, botId, from), await readVersion(deps, botId, to)];
  const [old, now] = [shown(before.flow), shown(after.flow)];
  const changes = diff(old, now);
  return {
    from: before.version,
    to: after.version,
    isSame: changes.length === 0,
    differences: compare(old, now, changes),
    ...(withChanges && { changes }),
  };
}

export type Restored = {
  readonly bot: BotView;
  /** The number of the version that contains the replaced draft. */
  readonly replacedNumber: number;
};

/** The maximum number of attempts. An attempt fails if the draft is written concurrently. */
const restoreAttempts = 5;

/**
 * Restores a version as the draft. The replaced draft becomes a separate version, unless a version already contains it,
 * so that nothing is lost even if two people restore at the same time. Throws `bot.conflict` if the bot was written
 * since `seenUpdatedAt`, or too often during the restore.
 */
export async function restoreVersion(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { number, seen, seenUpdatedAt }: { number: number; seen: Seen; seenUpdatedAt: Date | undefined },
): Promise<Restored> {
  const { mode } = await requireBot(deps, caller, botId, "write");
  const { flow } = await requirePublication(deps, botId, number);
  for (let attempt = 1; ; attempt++) {
    const bot = await findBot(deps.sql, botId);
    if (!bot) throw new AppError("bot.not_found");
    requireSeen(seen, bot.updatedAt);
    const isTooLate = seenUpdatedAt !== undefined && seenUpdatedAt.getTime() !== bot.updatedAt.getTime();
    if (isTooLate || attempt > restoreAttempts) {
      throw new AppError("bot.conflict", { data: { updatedAt: bot.updatedAt.toISOString() } });
    }
    const draft = flowOf(bot);
    const replacedNumber = await restoreDraft(deps.sql, {
      botId,
      seenUpdatedAt: bot.updatedAt,
      hash: canonicalHash(flowOf(flow)),
      replaced: { hash: canonicalHash(draft), flow: draft, facts: factsOf(draft) },
      // The editor's data belongs to no version, so it does not change.
      edit: editTo(bot, { ...flowOf(flow), editor: bot.editor }, { caller, ...restoring({ version: number }) }),
      kept: { id: newId(), by: caller.userId, note: `The draft before version ${number} was restored.` },
    });
    if (replacedNumber === undefined) continue;
    deps.draftWatch.wake();
    const restored = await findBot(deps.sql, botId);
    if (!restored) throw new AppError("bot.not_found");
    return { bot: viewBot(restored, { dialect: "bot", mode }), replacedNumber };
  }
}

async function requirePublication(
  deps: BotDependencies,
  botId: string,
  number: number,
): Promise<PublicationRow & { readonly flow: StoredFlow }> {
  const row = await findPublication(deps.sql, { botId, number });
  if (!row) throw new AppError("publication.not_found");
  return row;
}

/**
 * Reads a version of a bot. `name` is `draft`, a number as text, or undefined for the published version. Throws
 * `bot.not_published` if there is no published version, and `publication.not_found` for an unknown number.
 */
async function readVersion(
  deps: BotDependencies,
  botId: string,
  name: string | undefined,
): Promise<{ flow: StoredFlow; version: ComparedVersion }> {
  if (name === "draft") {
    const bot = await findBot(deps.sql, botId);
    if (!bot) throw new AppError("bot.not_found");
    const flow = flowOf(bot);
    return { flow, version: { number: null, hash: canonicalHash(flow).toString("hex"), at: bot.updatedAt } };
  }
  const number = name === undefined ? await findCurrentNumber(deps.sql, botId) : Number(name);
  if (number === undefined) throw new AppError("bot.not_published");
  const { flow, hash, createdAt } = await requirePublication(deps, botId, number);
  return { flow, version: { number, hash, at: createdAt } };
}

/** Returns the flow with the field names of Parley's own API. */
function shown(flow: StoredFlow): StoredFlow {
  return { ...flowOf(flow), settings: settingsInDialect("bot", flow.settings) };
}
