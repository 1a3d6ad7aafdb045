import { createHash } from "node:crypto";
import { readFlowParts } from "../core/flow/check.ts";
import { completeFlow, flowOf } from "../core/flow/complete.ts";
import type { StoredFlow } from "../core/flow/document.ts";
import { factsOf } from "../core/flow/facts.ts";
import type { StartOptions } from "../core/interpreter/step/start.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { type Caller, requireBot } from "../management/access/access.ts";
import { noOrigins } from "../management/access/origins.ts";
import { includesScope, requireScope } from "../management/access/tokens.ts";
import { findBot } from "../management/bots/bots.sql.ts";
import { addressOf } from "../management/bots/flow-address.ts";
import { keepFlow } from "../management/bots/versions/flows.sql.ts";
import { readClock } from "../platform/database/clock.sql.ts";
import { newId } from "../platform/ids.ts";
import { requireRoomForPreview } from "./anonymous-previews.ts";
import { countNestedStart } from "./nested-starts.ts";
import { type FirstRequest, ignoredVariablesOf, type NewSession, newSession, newSessions } from "./new-session.ts";
import type { ChatAnswer } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { replyOf, requestHash } from "./steps/replies.ts";
import { programName } from "./steps/run-step.ts";
import { takeStep } from "./steps/take-step.ts";

export type PreviewRequest = FirstRequest & {
  readonly botId: string;
  /** A flow to run instead of the stored draft, as the caller sent it. */
  readonly flow: unknown;
  readonly startFrom: StartOptions["startFrom"];
  /** Whether each step is traced. Requires permission to read the bot, or to write the bot if `flow` is supplied. */
  readonly isTraced: boolean;
  /** The request's client address, if the request comes from this machine. */
  readonly ownAddress: string | undefined;
  /** The client address to which rate limits apply. */
  readonly address: string | undefined;
};

/**
 * The flow of a preview, and its workspace. A preview without a workspace performs only effects that read Parley's own
 * data.
 */
type PreviewedFlow = {
  readonly botId: string;
  readonly workspaceId: string | null;
  readonly flow: StoredFlow;
  readonly previewedBy: string | null;
};

/**
 * Starts a preview, which stores no result. The stored draft requires permission to read the bot. A supplied flow runs
 * in full if the caller may write the bot; otherwise it runs without effects, and the bot is not looked up. A caller
 * without a token must have entered the lane of anonymous previews before the flow was read.
 */
export async function previewChat(
  deps: ChatDependencies,
  caller: Caller | undefined,
  request: PreviewRequest,
): Promise<ChatAnswer> {
  const previewed = await previewedFlow(deps, caller, request);
  if (request.isTraced && previewed.previewedBy === null) await refuseTrace(deps, caller, request.botId);
  caller?.place.end();
  if (request.hops.count > 0) await countNestedStart(deps, request.hops, request.ownAddress);
  const take = () => takeFirstStep(deps, previewed, request);
  if (!caller || previewed.previewedBy !== null) return take();
  return deps.threads.inAnonymousLane(request.address ?? previewed.botId, take);
}

/**
 * Rejects a trace, because a flow that runs without effects is never traced. Throws the error for the permission that
 * the caller lacks.
 */
async function refuseTrace(deps: ChatDependencies, caller: Caller | undefined, botId: string): Promise<never> {
  if (!caller) throw new AppError("token.missing");
  requireScope(caller, "write");
  await requireBot(deps, caller, botId, "write");
  throw new AppError("bot.not_found");
}

/**
 * Enters the lane of anonymous previews for a caller without a token, before the flow is read. Returns a function that
 * leaves the lane.
 */
export async function takePreviewTurn(deps: ChatDependencies, address: string | undefined): Promise<() => void> {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const hold = async (): Promise<void> => {
    begun.resolve();
    await over.promise;
  };
  deps.threads.inAnonymousLane(address ?? newId(), hold).catch(begun.reject);
  await begun.promise;
  return over.resolve;
}

async function takeFirstStep(
  deps: ChatDependencies,
  { botId, workspaceId, flow, previewedBy }: PreviewedFlow,
  request: PreviewRequest,
): Promise<ChatAnswer> {
  const isAnonymous = previewedBy === null;
  const text = JSON.stringify(flow);
  await afterOthers(deps);
  // Sorting the keys of a large flow takes long. An anonymous flow without an idempotency key needs no sorting: it is
  // stored under its own id, and only requests with a key are compared.
  const hash =
    isAnonymous && request.key === null
      ? createHash("sha256").update(text).digest()
      : await addressOf(deps, { flow, text, caller: previewedBy ?? botId });
  const facts = factsOf(flow);
  request.reportPrefilled?.(ignoredVariablesOf(facts, request.prefilledVariables));
  const keep = () => keepFlow(deps.sql, { botId, hash, flow, facts });
  if (!isAnonymous) await keep();
  const { key, hops, address, ownAddress, startFrom, isTraced, flow: supplied, ...rest } = request;
  const { reader, reportPrefilled: _, ...body } = rest;
  const { message, contentFormat, isStreamEnabled, isOnlyRegistering, prefilledVariables, dialect } = body;
  const scope = `preview:${isAnonymous ? sha256(request.botId) : botId}`;
  const found: NewSession = {
    session: newSession({
      ...{ botId, workspaceId, dialect, isAnonymous, previewedBy },
      flowHash: hash.toString("hex"),
      publicationNumber: null,
      resultId: null,
      allowedOrigins: null,
      hasEventEndpoints: false,
      now: await readClock(deps.sql),
    }),
    isCached: false,
    shownBotId: request.botId,
    publishedAt: null,
    ...(facts.language !== undefined && { language: facts.language }),
    lifetimeMinutes: limits.session.lifetimeMinutes,
    options: { prefilledVariables, ...(startFrom && { startFrom }), ...(isTraced && { isTraced }) },
    scope,
    cachedPublicId: null,
  };
  const asked = { ...body, startFrom, ...(isTraced && { isTraced }) };
  const contentHash = requestHash({ ...asked, flow: supplied ? hash.toString("hex") : null });
  const start = { key, requestHash: contentHash, isStreamEnabled, isOnlyRegistering, begin: async () => found };
  const source = newSessions(deps, scope, start);
  /** Stores the flow after its first step has succeeded, if there is room for the flow and the step. */
  const keptLast: typeof source = {
    ...source,
    suppliedFlow: { key: programName(found.session).key, text },
    async save(begun, step, options) {
      if (!options.isInDoubt) {
        await requireRoomForPreview(deps, { botId, address, flowBytes: Buffer.byteLength(text), step });
        await keep();
      }
      return source.save(begun, step, options);
    },
  };
  return takeStep(deps, isAnonymous ? keptLast : source, {
    ...{ reply: replyOf(message), contentFormat, key, hash: contentHash, hops, reader },
    origins: noOrigins,
  });
}

async function previewedFlow(
  deps: ChatDependencies,
  caller: Caller | undefined,
  request: PreviewRequest,
): Promise<PreviewedFlow> {
  if (request.flow === undefined || request.flow === null) {
    if (!caller) throw new AppError("token.missing");
    const { workspaceId } = await requireBot(deps, caller, request.botId, "read");
    return { botId: request.botId, workspaceId, flow: await draftOf(deps, request.botId), previewedBy: caller.userId };
  }
  await afterOthers(deps);
  const flow = completeFlow(readFlowParts(request.flow, request.dialect));
  await afterOthers(deps);
  const workspaceId = caller && (await workspaceToWrite(deps, caller, request.botId));
  if (caller && workspaceId !== undefined)
    return { botId: request.botId, workspaceId, flow, previewedBy: caller.userId };
  const bytes = Buffer.byteLength(JSON.stringify(flow));
  if (bytes > limits.flow.anonymousBytes) {
    throw new AppError("request.too_large", { data: { bytes, maxBytes: limits.flow.anonymousBytes } });
  }
  return { botId: newId(), workspaceId: null, flow, previewedBy: null };
}

/** Returns the workspace of the bot if the caller may write the bot. */
async function workspaceToWrite(deps: ChatDependencies, caller: Caller, botId: string): Promise<string | undefined> {
  if (!includesScope(caller.scope, "write")) return undefined;
  try {
    return (await requireBot(deps, caller, botId, "write")).workspaceId;
  } catch (error) {
    // For a caller who may not write or even see the bot, the flow runs as for a caller without a token.
    if (error instanceof AppError && error.code !== "server.unavailable") return undefined;
    throw error;
  }
}

/**
 * Lets other requests run before a large flow is processed. Parsing, checking or writing it takes several milliseconds.
 */
function afterOthers({ clock }: ChatDependencies): Promise<void> {
  return new Promise((resolve) => clock.setImmediate(resolve));
}

async function draftOf(deps: ChatDependencies, botId: string): Promise<StoredFlow> {
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  return flowOf(bot);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
