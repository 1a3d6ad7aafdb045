import { credentialsKinds } from "../core/credentials/index.ts";
import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import { isId, newId, shardOf } from "../platform/ids.ts";
import { performCall } from "./call.ts";
import type { EffectContext } from "./effect-context.ts";
import { performFetch } from "./fetch.ts";
import { performGmail } from "./google/gmail.ts";
import { performHttp } from "./http-request.ts";
import { performModel } from "./models/model.ts";
import { performPayment, performPaymentCancel, performPaymentCheck } from "./payment.ts";
import { performSuggestion } from "./providers/suggestion-parts.ts";
import { performQrCode } from "./qr-code.ts";
import { performSheet } from "./sheet.ts";
import { performSpeech } from "./speech.ts";
import { performTranscript } from "./transcript.ts";
import { performTranscription } from "./transcription.ts";
import { performUserToken } from "./zendesk/user-token.ts";

/**
 * Whether an effect only reads Parley's own data. A reading effect needs no claim and is allowed in anonymous previews.
 */
export function isReadOnly(effect: Effect): boolean {
  return ["transcript", "callbackAddress", "linkedFlow", "suggestion"].includes(effect.kind);
}

/**
 * Whether the report of an effect must be stored immediately, so that a retry after a crash does not perform the effect
 * again. True for effects that cost money and for cancelled payments.
 */
export function isPaid(effect: Effect, report: Report): boolean {
  if (effect.kind === "call") return credentialsKinds.get(effect.credentialsType)?.service?.isBilled === true;
  // After a failed cancellation, going back is refused, and the next request must try again.
  if (effect.kind === "paymentCancel") return report.kind === "paymentCancel" && report.status === "canceled";
  return ["payment", "model", "speech", "transcription"].includes(effect.kind);
}

/** Performs an effect. Failed calls are returned as reports. Only bugs and database failures are thrown. */
export async function perform(effect: Effect, context: EffectContext): Promise<Report> {
  switch (effect.kind) {
    case "transcript":
      return performTranscript(effect, context);
    case "callbackAddress":
      return performCallbackAddress(effect, context);
    case "suggestion":
      return performSuggestion(effect, context);
    case "userToken":
      return performUserToken(effect, context);
    case "fetch":
      return performFetch(effect, context);
    case "http":
      return performHttp(effect, context);
    case "linkedFlow":
      return performLinkedFlow(effect, context);
    case "model":
      return performModel(effect, context);
    case "speech":
      return performSpeech(effect, context);
    case "transcription":
      return performTranscription(effect, context);
    case "call":
      return performCall(effect, context);
    case "sheet":
      return performSheet(effect, context);
    case "qrCode":
      return performQrCode(effect, context);
    case "gmail":
      return performGmail(effect, context);
    case "payment":
      return performPayment(effect, context);
    case "paymentCheck":
      return performPaymentCheck(effect, context);
    case "paymentCancel":
      return performPaymentCancel(effect, context);
    default:
      return effect satisfies never;
  }
}

/** Finds the flow of another bot in the same workspace: the published flow for live chats, the draft for previews. */
async function performLinkedFlow(
  { fromBotId, botId, isLive }: Extract<Effect, { kind: "linkedFlow" }>,
  { findLinkedFlow, sessionId, previewedBy }: EffectContext,
): Promise<Report> {
  const hash = isId(botId) ? await findLinkedFlow({ fromBotId, botId, isLive, previewedBy }) : undefined;
  // A result is stored in the same shard as the session that writes it.
  const resultId = newId(shardOf(sessionId));
  return { kind: "linkedFlow", program: hash === undefined ? null : `${botId}:${hash}`, resultId };
}

/** Returns the address at which another program can call this chat. An anonymous preview has no such address. */
async function performCallbackAddress(
  { blockId }: { readonly blockId: string },
  { addressOfBlock }: Pick<EffectContext, "addressOfBlock">,
): Promise<Report> {
  const address = await addressOfBlock?.(blockId);
  if (address === undefined) return { kind: "refused", reason: "A preview without a token cannot receive calls" };
  return { kind: "callbackAddress", address };
}
