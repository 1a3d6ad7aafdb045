import { createHash } from "node:crypto";
import { calledWith } from "../../core/interpreter/program/message.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../../management/access/access.ts";
import { isId, madeAt } from "../../platform/ids.ts";
import { type CallbackTarget, shortBlockId } from "../reads/callback-facts.ts";
import { isResultArchived, listOpenPreviews, listSessionsToCall } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { type Call, keepCall, passCall } from "./pass-call.ts";

export type WebhookCall = {
  readonly botId: string;
  readonly blockId: string;
  readonly resultId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | null;
  readonly hops: Hops;
};

/** `isWaiting`: whether the call is stored until its chat reaches the block. */
export type Answered = { readonly isWaiting: boolean };

/**
 * Passes a webhook call to a chat of the result. A chat that waits at this block runs its next step; otherwise, the
 * call is stored for an open chat. Throws `session.not_found` if no chat of the result is open, or if the block does
 * not wait for calls.
 */
export async function resumeWebhook(deps: ChatDependencies, caller: Caller, call: WebhookCall): Promise<Answered> {
  await requireBot(deps, caller, call.botId, "write", { evenArchived: true });
  caller.place.end();
  const ids = isId(call.resultId) ? await listSessionsToCall(deps.sql, call.resultId, limits.session.perResult) : [];
  const passed = await passCall(deps, ids, { ...call, message: calledWith(call.body), isSigned: false });
  if (passed === "over" || passed === "nobody")
    throw new AppError("session.not_found", { message: "This result has no open chat." });
  return { isWaiting: passed === "early" };
}

/** Like `resumeWebhook`, but for the caller's open previews of the bot. */
export async function resumePreviewWebhook(
  deps: ChatDependencies,
  caller: Caller,
  call: Omit<WebhookCall, "resultId">,
): Promise<Answered> {
  const { botId, body } = call;
  await requireBot(deps, caller, botId, "write", { evenArchived: true });
  caller.place.end();
  const previews = { botId, previewedBy: caller.userId, limit: limits.session.perResult };
  const passed = await passCall(deps, await listOpenPreviews(deps.sql, previews), {
    ...call,
    message: calledWith(body),
    isSigned: false,
  });
  if (passed === "over" || passed === "nobody")
    throw new AppError("session.not_found", { message: "You have no open preview." });
  return { isWaiting: passed === "early" };
}

export type SignedCall = Pick<Call, "key" | "hops"> & {
  readonly token: string;
  /** A JSON object or a text. */
  readonly body: Readonly<Record<string, unknown>> | string;
  /** Counts the call for the target of the URL. Throws if there were too many calls. */
  admit(target: string): Promise<void> | undefined;
};

/**
 * Resumes a chat through a callback URL, without an API token, or stores the call until the chat reaches the block.
 * Throws `callback.not_found` for a URL that this instance did not create, and `callback.over` if no chat of the URL is
 * open.
 */
export async function takeCallback(deps: ChatDependencies, { token, body, ...signed }: SignedCall): Promise<Answered> {
  const target = await deps.callbackTokens.targetOf(token);
  const { botId, blockId, resultId, sessionId, previewedBy } = target;
  // All callback URLs of a block share one limit per result or previewing user, in both formats and for all chats.
  await signed.admit([botId, shortBlockId(blockId), resultId ?? previewedBy].join(" "));
  const key = keyFor(target, signed.key);
  const call: Call = { botId, blockId, sessionId, message: calledWith(body), key, hops: signed.hops, isSigned: true };
  const beginning = await sessionThatBegins(deps, target);
  if (beginning !== undefined) {
    await keepCall(deps, beginning, call);
    return { isWaiting: true };
  }
  const passed = await passCall(deps, await sessionsAt(deps, target), call);
  if (passed === "over" || passed === "nobody") throw new AppError("callback.over");
  return { isWaiting: passed === "early" };
}

/** Lists the chats that a callback URL may reach. */
async function sessionsAt(
  { sql }: ChatDependencies,
  { botId, resultId, sessionId, previewedBy }: CallbackTarget,
): Promise<string[]> {
  const limit = limits.session.perResult;
  if (resultId === null) return previewedBy === null ? [] : listOpenPreviews(sql, { botId, previewedBy, limit });
  const ids = await listSessionsToCall(sql, resultId, limit);
  return sessionId === null || ids.includes(sessionId) ? ids : [...ids, sessionId];
}

/**
 * Returns the idempotency key of a call's step, or null if the call has no key. A program may send the same message,
 * with the same id, to the URLs of two chats. The two calls need different keys, because another chat of the result may
 * handle either call.
 */
function keyFor({ sessionId }: CallbackTarget, key: string | null): string | null {
  if (sessionId === null || key === null) return key;
  return createHash("sha256")
    .update(JSON.stringify(["call", sessionId, key]))
    .digest("base64url");
}

/**
 * Returns the session that a callback URL names if its first step may still be running: the session is recent and not
 * saved yet. The step passes the URL to other programs before it is saved.
 */
async function sessionThatBegins(
  { sql, reads }: ChatDependencies,
  { sessionId, resultId }: CallbackTarget,
): Promise<string | undefined> {
  if (sessionId === null || resultId === null) return undefined;
  if (Math.abs(Date.now() - madeAt(sessionId)) > limits.step.effectsMs) return undefined;
  if (await reads.sessions.add({ id: sessionId, key: null })) return undefined;
  // The row of an erased result remains for a day, so that an erased session is not mistaken for a new session.
  return (await isResultArchived(sql, resultId)) ? undefined : sessionId;
}
