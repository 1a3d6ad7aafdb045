import { credentialsKinds } from "../../core/credentials/index.ts";
import { Counter, Histogram, Registry } from "../../platform/observing/prometheus.ts";
import type { FinishedCall } from "../model-use.ts";

/** The metrics of model calls. Model names are not used as labels because their number is unlimited. */
export type ModelMetrics = {
  readonly registry: Registry;
  ended(type: string, call: Pick<FinishedCall, "ended" | "tokens" | "firstTextMs">): void;
  /** Counts a call that was not made because of an insufficient budget. */
  refused(type: string): void;
};

export function createModelMetrics(): ModelMetrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: "parley_model_calls_total",
    help: "Calls of language models, by type of credentials and outcome.",
    labelNames: ["type", "ended"],
    registers,
  });
  const tokens = new Counter({
    name: "parley_model_tokens_total",
    help: "Tokens of calls of language models, as their providers reported them.",
    labelNames: ["type", "of"],
    registers,
  });
  const firstText = new Histogram({
    name: "parley_model_first_text_seconds",
    help: "Time from a call of a language model to the first piece of its answer, including retries.",
    labelNames: ["type"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  });
  return {
    registry,
    ended(given, call) {
      const type = known(given);
      calls.inc({ type, ended: call.ended });
      if (call.tokens) {
        const { in: read, cached, out } = call.tokens;
        tokens.inc({ type, of: "in" }, read - cached);
        tokens.inc({ type, of: "cached" }, cached);
        tokens.inc({ type, of: "out" }, out);
      }
      if (call.firstTextMs !== null) firstText.observe({ type }, call.firstTextMs / 1_000);
    },
    refused: (type) => calls.inc({ type: known(type), ended: "budget" }),
  };
}

/** Returns the type as a label, or `unknown` for an unknown type, because a flow may specify any type as a fallback. */
function known(type: string): string {
  return credentialsKinds.has(type) ? type : "unknown";
}
