import { calledWith } from "../../core/interpreter/program/message.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireBot } from "../../management/access/access.ts";
import { isId } from "../../platform/ids.ts";
import { listOpenPreviews, listSessionsToCall } from "../reads/sessions.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { type Call, passCall } from "./pass-call.ts";

export type WebhookCall = {
  readonly botId: string;
  readonly blockId: string;
  readonly resultId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | null;
  readonly hops: Hops;
};

/** Whether the call waits for its chat. */
export type Answered = { readonly isWaiting: boolean };

/**
 * Passes a webhook call to the chat of a result, and takes its next step if it waits at this block. A page finds the step by reading the session's
 * events. Throws `session.not_found` when no chat of the result is open.
 */
export async function resumeWebhook(deps: ChatDependencies, caller: Caller, call: WebhookCall): Promise<Answered> {
  await requireBot(deps, caller, call.botId, "write", { evenArchived: true });
  caller.place.end();
  const ids = isId(call.resultId) ? await listSessionsToCall(deps.sql, call.resultId, limits.session.perResult) : [];
  const passed = await passCall(deps, ids, { ...call, message: calledWith(call.body), isSigned: false });
  if (passed === "over" || passed === "nobody")
    throw new AppError("session.not_found", { message: "No chat of this result is open." });
  return { isWaiting: passed === "early" };
}

/** The same for the newest preview of the caller. */
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
    throw new AppError("session.not_found", { message: "No preview of yours is open." });
  return { isWaiting: passed === "early" };
}

export type SignedCall = Pick<Call, "key" | "hops"> & {
  readonly token: string;
  /** A JSON object, or a text. */
  readonly body: Readonly<Record<string, unknown>> | string;
  /** Counts the call for the address; throws when there were too many. */
  admit(address: string): Promise<void> | undefined;
};

/** The same by a signed address, without a token. Throws `callback.not_found` for an address that is not ours, and `callback.over` after the chat. */
export async function takeCallback(deps: ChatDependencies, { token, body, ...call }: SignedCall): Promise<Answered> {
  const { botId, blockId, resultId, previewedBy } = await deps.callbackTokens.targetOf(token);
  await call.admit(token);
  const limit = limits.session.perResult;
  const ids =
    resultId !== null
      ? await listSessionsToCall(deps.sql, resultId, limit)
      : previewedBy !== null
        ? await listOpenPreviews(deps.sql, { botId, previewedBy, limit })
        : [];
  const message = calledWith(body);
  const passed = await passCall(deps, ids, { botId, blockId, message, key: call.key, hops: call.hops, isSigned: true });
  if (passed === "over" || passed === "nobody") throw new AppError("callback.over");
  return { isWaiting: passed === "early" };
}
