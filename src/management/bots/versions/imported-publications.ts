import { readFlowParts } from "../../../core/flow/check.ts";
import { completeFlow, flowOf } from "../../../core/flow/complete.ts";
import type { FlowParts } from "../../../core/flow/document.ts";
import { factsOf } from "../../../core/flow/facts.ts";
import { markUnsafe } from "../../../core/flow/safety.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { readClock } from "../../../platform/database/clock.sql.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { findBot } from "../bots.sql.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { addressOf } from "../flow-address.ts";
import { insertImportedPublication, resumePublication } from "./imported-publications.sql.ts";
import { findCurrentNumber } from "./publications.sql.ts";
import { withPublicId } from "./publications.ts";

export type PublicationFromElsewhere = {
  readonly number: number;
  readonly createdAt: string;
  readonly publishedBy?: string | null;
  readonly note?: string | null;
  readonly isDraft?: boolean;
  readonly overruledRules?: readonly string[];
  readonly bot: FlowParts;
  readonly enableSafetyFlags?: boolean;
};

/**
 * Adds a version from another service to a bot's history. The version keeps its number and time, and its author if the
 * author is a member of the workspace. Visitors do not get the version. Sending the same version again adds nothing.
 * Requires ADMIN or MEMBER, because the request states who published the version.
 */
export async function bringPublication(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  given: PublicationFromElsewhere,
): Promise<{ isNew: boolean }> {
  await requireBot(deps, caller, botId, "write");
  await requireBot(deps, caller, botId, "manage");
  const whole = completeFlow(readFlowParts(given.bot, "bot"));
  const flow = given.enableSafetyFlags ? markUnsafe(whole) : whole;
  const createdAt = new Date(given.createdAt);
  const latest = (await readClock(deps.sql)).getTime() + limits.importedResults.clockSkewHours * 3_600_000;
  if (createdAt.getTime() > latest) throw invalidInput([{ path: "createdAt", message: "must not be in the future" }]);
  const { number, note = null, isDraft = false, overruledRules = [], publishedBy } = given;
  const by = typeof publishedBy === "string" && isId(publishedBy) ? publishedBy : null;
  const hash = await addressOf(deps, { flow, caller: caller.userId });
  const publication = { botId, id: newId(), number, publishedBy: by, note, isDraft, overruledRules, createdAt };
  const outcome = await insertImportedPublication(deps.sql, publication, { hash, flow, facts: factsOf(flow) });
  if (!outcome) throw new AppError("bot.not_found");
  if (outcome === "taken") throw new AppError("publication.number_taken");
  return { isNew: outcome === "added" };
}

/**
 * Publishes existing versions of an unpublished bot, which keep their numbers: one for all visitors, and optionally a
 * canary. The draft does not change. Throws `bot.already_published`, or `publication.not_found` if a version does not
 * exist.
 */
export async function resume(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { number, canary }: { number: number; canary: { readonly number: number; readonly percent: number } | null },
): Promise<{ number: number; publicId: string }> {
  await requireBot(deps, caller, botId, "write");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  if (canary?.number === number) {
    throw invalidInput([{ path: "canary.number", message: "must differ from the published version" }]);
  }
  const hash = await addressOf(deps, { flow: flowOf(bot), caller: caller.userId });
  const draft = { hash, revision: bot.revision };
  const row = await withPublicId(bot.name, (publicId) =>
    resumePublication(deps.sql, { botId, number, canary, publicId, draft }),
  );
  if (!row) {
    const isPublished = (await findCurrentNumber(deps.sql, botId)) !== undefined;
    throw new AppError(isPublished ? "bot.already_published" : "publication.not_found");
  }
  deps.draftWatch.wake();
  return { number, publicId: row.publicId };
}
