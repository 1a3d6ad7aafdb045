import { textAt } from "../core/interpreter/flow.ts";
import { parseJsonOr } from "../core/interpreter/language/json.ts";
import { calledWith } from "../core/interpreter/program/message.ts";
import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { type Caller, requireBot } from "../management/access/access.ts";
import { noOrigins } from "../management/access/origins.ts";
import { isId } from "../platform/ids.ts";
import { continueChat } from "./continue-chat.ts";
import { listOpenPreviews, listOpenSessions } from "./reads/sessions.sql.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

export type WebhookCall = {
  readonly botId: string;
  readonly blockId: string;
  readonly resultId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | null;
  readonly hops: Hops;
};

/**
 * Passes a webhook call to the chat that listens for it at this block, and takes the chat's next step. The step is saved like
 * any other, and the page finds it by reading the session. Throws `session.not_found` when no chat of the result listens there.
 */
export async function resumeWebhook(deps: ChatDependencies, caller: Caller, call: WebhookCall): Promise<void> {
  await requireBot(deps, caller, call.botId, "write", { evenArchived: true });
  caller.place.end();
  const ids = isId(call.resultId) ? await listOpenSessions(deps.sql, call.resultId, limits.session.perResult) : [];
  const sessionId = await findListening(deps, ids, call);
  if (sessionId === undefined)
    throw new AppError("session.not_found", { message: "No chat of this result listens at this block." });
  await goOn(deps, sessionId, call);
}

/** The same for the newest preview of the caller that listens at this block. */
export async function resumePreviewWebhook(
  deps: ChatDependencies,
  caller: Caller,
  call: Omit<WebhookCall, "resultId">,
): Promise<void> {
  await requireBot(deps, caller, call.botId, "write", { evenArchived: true });
  caller.place.end();
  const previews = { botId: call.botId, previewedBy: caller.userId, limit: limits.session.perResult };
  const sessionId = await findListening(deps, await listOpenPreviews(deps.sql, previews), call);
  if (sessionId === undefined)
    throw new AppError("session.not_found", { message: "No preview of yours listens at this block." });
  await goOn(deps, sessionId, call);
}

async function goOn(
  deps: ChatDependencies,
  sessionId: string,
  { body, key, hops }: Pick<WebhookCall, "body" | "key" | "hops">,
): Promise<void> {
  const message = calledWith(body);
  await continueChat(deps, {
    sessionId,
    message,
    contentFormat: "richText",
    key,
    origins: noOrigins,
    hops,
    sender: "other",
  });
}

async function findListening(
  deps: ChatDependencies,
  ids: readonly string[],
  { botId, blockId }: Pick<WebhookCall, "botId" | "blockId">,
): Promise<string | undefined> {
  const sessions = await Promise.all(ids.map((id) => deps.reads.sessions.add({ id, key: null })));
  return sessions.find(
    (session) => session?.botId === botId && textAt(parseJsonOr(session.state, null), "blockId") === blockId,
  )?.id;
}
