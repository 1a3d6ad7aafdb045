import type { ProviderMessage, SendVerdict, Upload } from "../../core/channels/channel.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { type JsonObject, textAt } from "../../core/interpreter/flow.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import { limits } from "../../limits/index.ts";
import { disableConnection } from "../../management/channels/connections.sql.ts";
import { connectionTexts, textsInChat } from "../connection-texts.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { OutboundDependencies, OutboundTools } from "./dependencies.ts";
import { linkOf, type Prepared, prepareMessage } from "./media.ts";
import { renderPlainQuestion } from "./render-step.ts";
import {
  dropPending,
  findResponse,
  type Head,
  type Holder,
  markFailed,
  markPending,
  moveContact,
  pauseConnection,
  type SendError,
} from "./sendings.sql.ts";
import { type Attempted, backOffMs, type Next, nextAfter } from "./verdicts.ts";

/**
 * `next`: the contact's next message may be sent. `contactWaits` and `connectionWaits`: the contact, or the whole
 * connection, waits for `ms`.
 */
export type Sent =
  | { readonly kind: "next" }
  | { readonly kind: "contactWaits"; readonly ms: number }
  | { readonly kind: "connectionWaits"; readonly ms: number }
  /** This process no longer holds the connection. */
  | { readonly kind: "lost" };

/**
 * Sends the next message of a contact:
 *
 *     pending ─ the contact opted out, or has blocked the bot ──→ dropped, with the contact's waiting messages
 *     pending ─ (a) marked, while the connection is held ───────→ sending
 *     pending ─ its file fits no form of the provider ──────────→ sent as a link
 *     sending ─ (b) the provider accepts it ─ (c) marked ───────→ accepted
 *     sending ─ it may have been accepted: in doubt ────────────→ pending, or failed if the connection is set to skip
 *     sending ─ a temporary failure ────────────────────────────→ pending, after a pause
 *     sending ─ the provider refuses the whole connection ──────→ pending; all messages of the connection wait
 *     sending ─ the file or the question is rejected ───────────→ pending in a simpler form: the file, its URL as text,
 *                                                                 or a question with numbered choices
 *     sending ─ a permanent failure, or no retry is left ───────→ failed; an unreachable contact's rest is dropped
 *
 * A message found as `sending` is in doubt: its process died between (a) and (c).
 */
export async function sendHead(deps: OutboundTools, held: HeldConnection, head: Head): Promise<Sent> {
  const { sql } = deps;
  const by = holderOf(held);
  const { contactId } = head;
  // A contact who has opted out receives only notices that do not belong to a chat.
  const isNotice = head.source === "notice" && head.sessionId === null;
  if (head.isBlocked || (head.isOptedOut && !isNotice)) {
    await dropPending(sql, by, { contactId, reason: head.isBlocked ? "blocked" : "opted_out", isAll: head.isBlocked });
    return { kind: "next" };
  }
  if (head.state === "sending") return settle(deps, held, { ...head, attempts: head.attempts - 1 }, { kind: "doubt" });
  if (head.message === null) {
    const error = { class: "content", code: "", detail: "The message's content was erased" } as const;
    return (await markFailed(sql, by, { ...head, error, dropsRest: false })) ? { kind: "next" } : { kind: "lost" };
  }
  if (!held.mayAct()) return { kind: "lost" };
  const prepared = await prepareMessage(deps, held, head, head.message);
  if (prepared.kind === "ready") return await sendPrepared(deps, held, head, prepared);
  const message = await linkMessage(deps, held, head);
  const next = { ...prepared, kind: message ? "simpler" : "failed", as: "link", dropsRest: false } as const;
  if (!message) return await apply(deps, held, head, next);
  const asLink = await prepareMessage(deps, held, head, message);
  if (asLink.kind !== "ready") return { kind: "lost" };
  await note(deps, held, head, next);
  return await sendPrepared(deps, held, { ...head, message, errorClass: "media" }, asLink, message);
}

type Ready = Extract<Prepared, { kind: "ready" }>;

/** Sends a prepared message. `stored` is a new form of the message to store. */
async function sendPrepared(
  deps: OutboundTools,
  held: HeldConnection,
  head: Head,
  prepared: Ready,
  stored?: ProviderMessage,
): Promise<Sent> {
  try {
    return await attempt(deps, held, head, prepared, stored);
  } finally {
    await prepared.done();
  }
}

async function attempt(
  deps: OutboundTools,
  held: HeldConnection,
  head: Head,
  prepared: Ready,
  stored: ProviderMessage | undefined,
): Promise<Sent> {
  const by = holderOf(held);
  if (!held.mayAct() || !(await deps.marks.sending({ by, head, message: stored }))) return { kind: "lost" };
  if (!held.mayAct()) {
    // A connection that is being released is still held, so the message is not in doubt.
    if (!held.lost.aborted) await markPending(deps.sql, by, { id: head.id, inMs: 0, error: null, isUncounted: true });
    return { kind: "lost" };
  }
  const { message, upload } = prepared;
  const { mediaMs, sendMs } = limits.channels;
  const outcome = await deps.call(held, callFor(deps, held, { message, to: head.address, id: head.id, upload }), {
    // A provider needs more time to fetch or receive a file.
    timeoutMs: message.mediaKey === undefined ? sendMs : mediaMs,
    ...(upload && { upload: upload.content }),
    signal: held.lost,
  });
  // A connection that is being released is still held, so the outcome of the call is used.
  if (held.lost.aborted) return { kind: "lost" };
  if (outcome.kind === "busy") return withoutRoom(deps, by, head);
  const verdict: SendVerdict =
    outcome.kind === "refused"
      ? { kind: "failed", class: "account", code: "address", detail: outcome.why }
      : held.channel.readAnswer(outcome.answer);
  if (verdict.kind === "accepted" && verdict.mediaId !== undefined) {
    await prepared
      .accepted(verdict.mediaId)
      .catch((cause: unknown) => deps.log.warn("a file id could not be stored", { cause }));
  }
  const isRefused = verdict.kind === "failed" && (verdict.class === "media" || verdict.class === "content");
  if (isRefused && (await prepared.refused()))
    return settle(deps, held, head, { kind: "retry", afterMs: 0, scope: "contact" });
  return settle(deps, held, head, verdict, { mayUpload: prepared.isByAddress === true });
}

async function withoutRoom(deps: OutboundTools, by: Holder, head: Head): Promise<Sent> {
  const inMs = backOffMs(0, deps.random());
  const error = {
    class: "busy",
    code: "",
    detail: "The service had too many running calls to send the message",
  } as const;
  const isMarked = await markPending(deps.sql, by, { id: head.id, inMs, error, isUncounted: true });
  return isMarked ? { kind: "contactWaits", ms: inMs } : { kind: "lost" };
}

function holderOf({ id: connectionId, holder, workspaceId, channel }: HeldConnection): Holder {
  return { connectionId, holder, workspaceId, channel: channel.type };
}

/** Creates the request for a message. Its signature headers, if any, contain the current time. */
export function callFor(
  { wallClock }: Pick<OutboundDependencies, "wallClock">,
  { channel, settings, secrets, previousSecrets }: HeldConnection,
  {
    message,
    to,
    id,
    upload,
  }: {
    readonly message: ProviderMessage;
    readonly to: Head["address"];
    readonly id: string;
    readonly upload?: Upload | undefined;
  },
) {
  const call = channel.call(message, { address: to, messageId: id }, { settings, secrets }, upload);
  if (!channel.stamp) return call;
  const inUse = previousSecrets ? [secrets, previousSecrets] : [secrets];
  const at = { messageId: id, seconds: Math.floor(wallClock() / 1_000) };
  return { ...call, headers: [...call.headers, ...channel.stamp(call, at, inUse)] };
}

async function settle(
  deps: OutboundTools,
  held: HeldConnection,
  head: Head,
  verdict: SendVerdict,
  { mayUpload = false }: { readonly mayUpload?: boolean } = {},
): Promise<Sent> {
  const inDoubt = textAt(held.settings, "inDoubt") === "skip" ? "skip" : "resend";
  const attempted: Attempted = { ...head, hasMedia: linkOf(head.message) !== undefined, mayUpload };
  if (verdict.kind === "doubt") {
    deps.log.warn("it is unknown whether a messenger accepted a message", {
      channel: held.channel.type,
      connection: held.id,
    });
  }
  const next = nextAfter(verdict, attempted, { inDoubt, chance: deps.random() });
  const masked = "error" in next && next.error ? { ...next, error: withoutSecrets(next.error, held.secrets) } : next;
  const sent = await apply(deps, held, head, masked);
  if (sent.kind !== "lost") await note(deps, held, head, masked);
  deps.onAttempt?.(held, { kind: masked.kind, verdict });
  return sent;
}

async function apply(deps: OutboundTools, held: HeldConnection, head: Head, next: Next): Promise<Sent> {
  const { sql } = deps;
  const { id, contactId } = head;
  const by = holderOf(held);
  const orLost = (isMarked: boolean, sent: Sent = { kind: "next" }): Sent => (isMarked ? sent : { kind: "lost" });
  switch (next.kind) {
    case "accepted":
      return orLost(await deps.marks.accepted({ by, id, contactId, providerId: next.providerId }));
    case "again":
      return orLost(await markPending(sql, by, { id, ...next }), { kind: "contactWaits", ms: next.inMs });
    case "moved": {
      await moveContact(sql, { connectionId: held.id, contactId, to: next.to });
      const error = { class: "moved", code: "", detail: "" } as const;
      return orLost(await markPending(sql, by, { id, inMs: 0, error }));
    }
    case "simpler": {
      const message = await simplerForm(deps, held, head, next.as);
      if (message) return orLost(await markPending(sql, by, { id, inMs: 0, error: next.error, message }));
      return orLost(await markFailed(sql, by, { ...head, error: next.error, dropsRest: false }));
    }
    case "paused": {
      const { error, forMs } = next;
      const pause = next.isRefused ? { refusedMs: forMs, mostMs: limits.channels.longestRefusedMs } : { forMs };
      const { leftMs: ms, isRefusedForDay } = await pauseConnection(sql, by, pause);
      // The messages of the disabled connection are kept and sent after the connection is enabled again.
      if (isRefusedForDay && (await disableConnection(sql, { connectionId: held.id, reason: "refused" }))) {
        deps.log.warn("a connection to a messenger is disabled, because its secrets were rejected for a day", {
          connection: held.id,
        });
      }
      // If the provider rejects every message of the connection, this attempt is not counted.
      const waits = { id, inMs: 0, error, isUncounted: next.isRefused };
      return orLost(await markPending(sql, by, waits), { kind: "connectionWaits", ms });
    }
    case "failed":
      return orLost(await markFailed(sql, by, { ...head, error: next.error, dropsRest: next.dropsRest }));
    default:
      return next satisfies never;
  }
}

async function simplerForm(
  deps: OutboundTools,
  held: HeldConnection,
  head: Head,
  as: Extract<Next, { kind: "simpler" }>["as"],
): Promise<ProviderMessage | undefined> {
  switch (as) {
    case "file":
      return head.message ? { ...head.message, isUpload: true } : undefined;
    case "link":
      return await linkMessage(deps, held, head);
    case "numbers":
      return await numberedQuestion(deps, held, head);
  }
}

async function linkMessage(
  { sql }: OutboundDependencies,
  { channel, settings }: HeldConnection,
  head: Head,
): Promise<ProviderMessage | undefined> {
  const url = linkOf(head.message);
  if (url === undefined) return undefined;
  const { isGroup } = head;
  const texts = await textsInChat(sql, settings, head);
  const [message] = channel.render({ kind: "link", url }, { texts, isGroup, token: () => "" }).messages;
  const markup = head.hasChoices ? head.message?.body["reply_markup"] : undefined;
  // When a picture becomes a link, its buttons are shown below the link.
  return message && markup !== undefined ? { ...message, body: { ...message.body, reply_markup: markup } } : message;
}

async function numberedQuestion(
  { sql }: OutboundDependencies,
  { channel, settings }: HeldConnection,
  { sessionId, revision, isGroup }: Head,
): Promise<ProviderMessage | undefined> {
  if (sessionId === null || revision === null) return undefined;
  const response = await findResponse(sql, { sessionId, revision });
  const texts = connectionTexts(settings);
  return response === undefined ? undefined : renderPlainQuestion(channel, JSON.parse(response), { texts, isGroup });
}

/** Logs a failed or simplified message for the bot's authors, without its text and its recipient. */
async function note({ addLogs }: OutboundDependencies, { channel }: HeldConnection, head: Head, next: Next) {
  const { resultId, botId } = head;
  if (resultId === null || botId === null || (next.kind !== "failed" && next.kind !== "simpler")) return;
  // The contact still gets the same file, which is only sent in another form.
  if (next.kind === "simpler" && next.as === "file") return;
  const { error } = next;
  const log: StepLog = {
    status: next.kind === "failed" ? "error" : "warning",
    description: next.kind === "failed" ? "A message was not sent" : "A message was sent in a simpler form",
    details: [error.class, error.code, error.detail].filter((part) => part !== "").join(": "),
    context: channel.name,
  };
  await addLogs({ resultId, botId, logs: [log] });
}

function withoutSecrets(error: SendError, secrets: JsonObject): SendError {
  const texts = Object.values(secrets).filter((one) => typeof one === "string");
  return { ...error, detail: withoutKeys(error.detail, texts) };
}
