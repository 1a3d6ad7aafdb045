import type { Effect, Report } from "../interpreter/effect.ts";
import type { Sql } from "../store/database/sql.ts";
import { performFetch } from "./fetch.ts";
import { performHttp } from "./http-request.ts";
import { performLinkedFlow } from "./linked-flow.ts";
import { performPayment } from "./payment.ts";
import type { SafeFetch } from "./safe-fetch.ts";
import { performTranscript } from "./transcript.ts";

/** What an effect may use. */
export type EffectContext = {
  readonly sql: Sql;
  readonly safeFetch: SafeFetch;
  readonly sessionId: string;
  /** Stable for this effect of this step, also when the step is taken up again after a crash. */
  readonly idempotencyKey: string;
  /** What is left of the step's time for effects: none takes longer, whatever its own limit. */
  readonly timeLeftMs: number;
  /** False once the step's claim was lost: nothing more may be sent for it. */
  readonly mayGoOn?: () => boolean;
};

/** Whether an effect only reads what is ours: it needs no claim, and a preview without a token may have it. */
export function isHarmless(effect: Effect): boolean {
  return effect.kind === "transcript" || effect.kind === "linkedFlow";
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
    case "payment":
      return performPayment();
    default:
      return effect satisfies never;
  }
}
