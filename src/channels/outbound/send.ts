import type { ProviderMessage, SendVerdict } from "../../core/channels/channel.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { type JsonObject, textAt } from "../../core/interpreter/flow.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import { limits } from "../../limits/index.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { OutboundDependencies } from "./dependencies.ts";
import { connectionTexts, renderPlainQuestion } from "./render-step.ts";
import {
  dropPending,
  findResponse,
  type Head,
  type Holder,
  markAccepted,
  markFailed,
  markPending,
  markSending,
  moveContact,
  pauseConnection,
  type SendError,
} from "./sendings.sql.ts";
import { type Attempted, backOffMs, type Next, nextAfter } from "./verdicts.ts";

/**
 * `next`: the contact's next message may follow. With milliseconds nothing of it, or of the connection, goes before.
 */
export type Sent =
  | { readonly kind: "next" }
  | { readonly kind: "contactWaits"; readonly ms: number }
  | { readonly kind: "connectionWaits"; readonly ms: number }
  /** The connection is not held any more. */
  | { readonly kind: "lost" };

/**
 * Sends the next message of a contact:
 *
 *     pending ─ its contact wants none, or has blocked the bot ─→ dropped, with all that this contact is owed
 *     pending ─ (a) marked, while the connection is held ───────→ sending
 *     sending ─ (b) the provider accepts it ─ (c) marked ───────→ accepted
 *     sending ─ it may have been accepted: in doubt ────────────→ pending again, or failed where that is set
 *     sending ─ it fails for a while ───────────────────────────→ pending, later
 *     sending ─ the provider takes nothing of the connection ───→ pending; all messages of the connection wait
 *     sending ─ this file, or this question, is refused ────────→ pending, as a link or as a text with numbers, once
 *     sending ─ it fails for good, or was tried for a day ──────→ failed; an unreachable contact's rest is dropped
 *
 * One that is found as `sending` was left behind by a process that died between (a) and (c): it is in doubt.
 */
export async function sendHead(deps: OutboundDependencies, held: HeldConnection, head: Head): Promise<Sent> {
  const { sql } = deps;
  const by = holderOf(held);
  const { contactId } = head;
  const isNotice = head.source === "notice";
  if (head.isBlocked || (head.isOptedOut && !isNotice)) {
    await dropPending(sql, by, { contactId, reason: head.isBlocked ? "blocked" : "opted_out", isAll: head.isBlocked });
    return { kind: "next" };
  }
  if (head.state === "sending") return settle(deps, held, { ...head, attempts: head.attempts - 1 }, { kind: "doubt" });
  if (head.message === null) {
    const error = { class: "content", code: "", detail: "Its content was erased" } as const;
    return (await markFailed(sql, by, { ...head, error, dropsRest: false })) ? { kind: "next" } : { kind: "lost" };
  }
  if (!held.mayAct() || !(await markSending(sql, by, head))) return { kind: "lost" };
  if (!held.mayAct()) {
    // Where it is being left the connection is still held, and the message in no doubt.
    if (!held.lost.aborted) await markPending(sql, by, { id: head.id, inMs: 0, error: null, isUncounted: true });
    return { kind: "lost" };
  }
  const outcome = await deps.call(held, callFor(deps, held, { message: head.message, to: head.address, id: head.id }), {
    timeoutMs: limits.channels.sendMs,
    signal: held.lost,
  });
  // A connection that is being left is still held: the outcome of the call counts.
  if (held.lost.aborted) return { kind: "lost" };
  if (outcome.kind === "busy") {
    const inMs = backOffMs(0, deps.random());
    const error = { class: "busy", code: "", detail: "This service had no room for the call" } as const;
    const isMarked = await markPending(sql, by, { id: head.id, inMs, error, isUncounted: true });
    return isMarked ? { kind: "contactWaits", ms: inMs } : { kind: "lost" };
  }
  const verdict: SendVerdict =
    outcome.kind === "refused"
      ? { kind: "failed", class: "account", code: "address", detail: outcome.why }
      : held.channel.readAnswer(outcome.answer);
  return settle(deps, held, head, verdict);
}

function holderOf({ id: connectionId, holder, workspaceId, channel }: HeldConnection): Holder {
  return { connectionId, holder, workspaceId, channel: channel.type };
}

/** The request of a message, with the headers that hold its time. */
export function callFor(
  { wallClock }: Pick<OutboundDependencies, "wallClock">,
  { channel, settings, secrets, previousSecrets }: HeldConnection,
  { message, to, id }: { readonly message: ProviderMessage; readonly to: Head["address"]; readonly id: string },
) {
  const call = channel.call(message, { address: to, messageId: id }, { settings, secrets });
  if (!channel.stamp) return call;
  const inUse = previousSecrets ? [secrets, previousSecrets] : [secrets];
  const at = { messageId: id, seconds: Math.floor(wallClock() / 1_000) };
  return { ...call, headers: [...call.headers, ...channel.stamp(call, at, inUse)] };
}

async function settle(
  deps: OutboundDependencies,
  held: HeldConnection,
  head: Head,
  verdict: SendVerdict,
): Promise<Sent> {
  const inDoubt = textAt(held.settings, "inDoubt") === "skip" ? "skip" : "resend";
  const attempted: Attempted = { ...head, hasMedia: linkOf(head.message) !== undefined };
  if (verdict.kind === "doubt") {
    deps.log.warn("a message of a messenger is in doubt", { channel: held.channel.type, connection: held.id });
  }
  const next = nextAfter(verdict, attempted, { inDoubt, chance: deps.random() });
  const masked = "error" in next && next.error ? { ...next, error: withoutSecrets(next.error, held.secrets) } : next;
  const sent = await apply(deps, held, head, masked);
  if (sent.kind !== "lost") await note(deps, held, head, masked);
  deps.onAttempt?.(held, { kind: masked.kind, verdict });
  return sent;
}

async function apply(deps: OutboundDependencies, held: HeldConnection, head: Head, next: Next): Promise<Sent> {
  const { sql } = deps;
  const { id, contactId } = head;
  const by = holderOf(held);
  const orLost = (isMarked: boolean, sent: Sent = { kind: "next" }): Sent => (isMarked ? sent : { kind: "lost" });
  switch (next.kind) {
    case "accepted":
      return orLost(await markAccepted(sql, by, { id, contactId, providerId: next.providerId }));
    case "again":
      return orLost(await markPending(sql, by, { id, ...next }), { kind: "contactWaits", ms: next.inMs });
    case "moved": {
      await moveContact(sql, { connectionId: held.id, contactId, to: next.to });
      const error = { class: "moved", code: "", detail: "" } as const;
      return orLost(await markPending(sql, by, { id, inMs: 0, error }));
    }
    case "simpler": {
      const message = next.as === "link" ? linkMessage(held, head) : await numberedQuestion(deps, held, head);
      if (message) return orLost(await markPending(sql, by, { id, inMs: 0, error: next.error, message }));
      return orLost(await markFailed(sql, by, { ...head, error: next.error, dropsRest: false }));
    }
    case "paused": {
      const { error, forMs } = next;
      const pause = next.isRefused ? { refusedMs: forMs, mostMs: limits.channels.longestRefusedMs } : { forMs };
      const ms = await pauseConnection(sql, by, pause);
      // The provider takes nothing of the connection: that is no attempt of this message.
      const waits = { id, inMs: 0, error, isUncounted: next.isRefused };
      return orLost(await markPending(sql, by, waits), { kind: "connectionWaits", ms });
    }
    case "failed":
      return orLost(await markFailed(sql, by, { ...head, error: next.error, dropsRest: next.dropsRest }));
    default:
      return next satisfies never;
  }
}

/** The address of a message's file. */
function linkOf(message: ProviderMessage | null): string | undefined {
  return message?.mediaKey === undefined ? undefined : textAt(message.body, message.mediaKey);
}

function linkMessage({ channel, settings }: HeldConnection, head: Head): ProviderMessage | undefined {
  const url = linkOf(head.message);
  if (url === undefined) return undefined;
  const { isGroup } = head;
  const [message] = channel.render(
    { kind: "link", url },
    { texts: connectionTexts(settings), isGroup, token: () => "" },
  ).messages;
  const markup = head.hasChoices ? head.message?.body["reply_markup"] : undefined;
  // A picture with buttons keeps these below its address.
  return message && markup !== undefined ? { ...message, body: { ...message.body, reply_markup: markup } } : message;
}

async function numberedQuestion(
  { sql }: OutboundDependencies,
  { channel, settings }: HeldConnection,
  { sessionId, revision, isGroup }: Head,
): Promise<ProviderMessage | undefined> {
  if (sessionId === null || revision === null) return undefined;
  const response = await findResponse(sql, { sessionId, revision });
  return response === undefined ? undefined : renderPlainQuestion(channel, JSON.parse(response), { settings, isGroup });
}

/** Tells the authors of the bot: what was said to whom is not in it. */
async function note({ addLogs }: OutboundDependencies, { channel }: HeldConnection, head: Head, next: Next) {
  const { resultId, botId } = head;
  if (resultId === null || botId === null || (next.kind !== "failed" && next.kind !== "simpler")) return;
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
