import { createHash } from "node:crypto";
import { readFlowParts } from "../../core/flow/check.ts";
import { completeFlow, flowOf } from "../../core/flow/complete.ts";
import type { Dialect } from "../../core/flow/dialect.ts";
import { type Unknown, unknownMessages, unknownReasons } from "../../core/replay/chat.ts";
import { addImpacts, type Impact, type ImpactPlace, noImpact } from "../../core/replay/impact.ts";
import type { ProgramText } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../../management/access/access.ts";
import { findBot } from "../../management/bots/bots.sql.ts";
import { findPublication } from "../../management/bots/versions/publications.sql.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { type HeldChatRow, listHeldChats } from "./held-chats.sql.ts";
import { type CountedChat, createReplayer } from "./replayer.ts";

export type ImpactRequest = {
  /** `draft` or the number of a publication. Defaults to the draft. */
  readonly version: string | undefined;
  /** A flow to replay with instead of a stored version, as the caller sent it. */
  readonly flow: unknown;
  /** The number of results to examine. */
  readonly last: number;
  readonly dialect: Dialect;
};

export type ImpactReport = Pick<Impact, "same" | "changed" | "diverging" | "hasMorePlaces"> & {
  /** The number of examined results. At most one chat of each result is replayed. */
  readonly results: number;
  readonly notReplayable: { readonly reason: Unknown; readonly message: string; readonly chats: number }[];
  /** False if the time limit was reached before the requested results were examined. */
  readonly isComplete: boolean;
  /** The places of the flow at which the most chats differ. */
  readonly places: ImpactPlace[];
};

/**
 * Reports the effect of a flow on the bot's last chats. Each chat is replayed step by step with its own clock, seed and
 * replies, and with the recorded results of its calls. Nothing is stored or sent. Requires permission to read the bot.
 */
export async function reportImpact(
  deps: ChatDependencies,
  caller: Caller,
  botId: string,
  request: ImpactRequest,
): Promise<ImpactReport> {
  const { workspaceId } = await requireBot(deps, caller, botId, "read");
  const target = await targetOf(deps, botId, request);
  // After this point, each read waits for its own turn at the database.
  caller.place.end();
  const deadline = deps.clock.now() + limits.replay.runMs;
  const replayer = createReplayer(deps, { workspaceId, target, deadline });
  const impacts: Impact[] = [];
  let results = 0;
  let isComplete = true;
  for (let after: HeldChatRow | undefined; isComplete && results < request.last; ) {
    const limit = Math.min(limits.replay.chatsAtOnce, request.last - results);
    const rows = await replayer.read(() => listHeldChats(deps.sql, { botId, after, limit }));
    const chats = rows.flatMap((row) => chatOf(botId, row));
    const replayed = await replayer.replay(chats);
    impacts.push(...replayed.impacts, { ...noImpact, unknown: { expired: rows.length - chats.length } });
    isComplete = replayed.done === chats.length;
    results += rows.length - chats.length + replayed.done;
    if (rows.length < limit) break;
    after = rows.at(-1);
  }
  return reportOf(addImpacts(impacts), { results, isComplete });
}

function reportOf(
  { same, changed, diverging, unknown, places, hasMorePlaces }: Impact,
  looked: Pick<ImpactReport, "results" | "isComplete">,
): ImpactReport {
  const reasons = unknownReasons.map((reason) => ({
    reason,
    message: unknownMessages[reason],
    chats: unknown[reason] ?? 0,
  }));
  return {
    ...looked,
    ...{ same, changed, diverging },
    notReplayable: reasons.filter(({ chats }) => chats > 0),
    places: places.slice(0, limits.replay.places),
    hasMorePlaces: hasMorePlaces || places.length > limits.replay.places,
  };
}

function chatOf(botId: string, row: HeldChatRow): CountedChat[] {
  const { id: resultId, sessionId, dialect, flowHash, isEnded, revision } = row;
  if (sessionId === null || dialect === null || flowHash === null || isEnded === null || revision === null) return [];
  const isCut = revision > limits.replay.stepsOfChat;
  return [{ chat: { resultId, sessionId, botId, dialect, flowHash, isEnded, isCut }, steps: revision }];
}

/**
 * Returns the flow for the replay. Throws if the version or the bot does not exist, or if the request contains both a
 * version and a flow. A flow that is not a publication is identified by the hash of its text.
 */
async function targetOf(
  { sql }: ChatDependencies,
  botId: string,
  { version, flow, dialect }: ImpactRequest,
): Promise<ProgramText> {
  if (flow !== undefined && version !== undefined) {
    throw invalidInput([{ path: "version", message: "must not be sent together with a flow" }]);
  }
  if (flow !== undefined) return draftText(botId, completeFlow(readFlowParts(flow, dialect)));
  if (version !== undefined && version !== "draft") {
    const publication = await findPublication(sql, { botId, number: Number(version) });
    if (!publication) throw new AppError("publication.not_found");
    return { key: `${botId}:${publication.hash}`, botId, flow: JSON.stringify(publication.flow) };
  }
  const bot = await findBot(sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  return draftText(botId, flowOf(bot));
}

function draftText(botId: string, content: object): ProgramText {
  const flow = JSON.stringify(content);
  return { key: `${botId}:${createHash("sha256").update(flow).digest("hex")}`, botId, flow };
}
