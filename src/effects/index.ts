import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext } from "./effect-context.ts";
import { performFetch } from "./fetch.ts";
import { performHttp } from "./http-request.ts";
import { performLinkedFlow } from "./linked-flow.ts";
import { performModel } from "./models/model.ts";
import { performPayment } from "./payment.ts";
import { performSpeech } from "./speech.ts";
import { performTranscript } from "./transcript.ts";
import { performTranscription } from "./transcription.ts";

/** Whether an effect only reads our own data: it needs no claim, and a preview without a token may have it. */
export function isReadOnly(effect: Effect): boolean {
  return effect.kind === "transcript" || effect.kind === "linkedFlow";
}

/** Whether an effect costs money each time: after a crash it is not performed again if its report was stored. */
export function isPaid(effect: Effect): boolean {
  return ["payment", "model", "speech", "transcription"].includes(effect.kind);
}

/** Performs an effect. A failed call is a report; only bugs and a lost database are thrown. */
export async function perform(effect: Effect, context: EffectContext): Promise<Report> {
  switch (effect.kind) {
    case "transcript":
      return performTranscript(effect, context);
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
    case "payment":
      return performPayment();
    default:
      return effect satisfies never;
  }
}
