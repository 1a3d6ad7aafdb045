import { credentialsKinds } from "../../core/credentials/index.ts";
import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import { Counter, Histogram, Registry } from "../../platform/observing/prometheus.ts";

/** How a call to a provider ended: the class of its status, or the reason why there was no answer. */
export type CallEnding = "2xx" | "3xx" | "4xx" | "5xx" | string;

/** The metrics of provider calls. Model calls have separate metrics. */
export type ProviderMetrics = {
  readonly registry: Registry;
  /** Counts a call. `type` is the type of the credentials. */
  ended(type: string, call: { readonly ended: CallEnding; readonly seconds: number }): void;
  /** Counts a payment that has reached this status. Payments of previews are not counted. */
  payment(payment: { readonly isTest: boolean }, status: PaymentStatus): void;
};

export function createProviderMetrics(): ProviderMetrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: "parley_provider_calls_total",
    help: "Calls of providers, by type of credentials and outcome.",
    labelNames: ["type", "ended"],
    registers,
  });
  const seconds = new Histogram({
    name: "parley_provider_seconds",
    help: "Duration of calls of providers, including retries.",
    labelNames: ["type"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  });
  const payments = new Counter({
    name: "parley_payments_total",
    help: "Payments of live chats, by final status.",
    labelNames: ["status"],
    registers,
  });
  return {
    registry,
    ended(given, call) {
      const type = credentialsKinds.has(given) ? given : "unknown";
      calls.inc({ type, ended: call.ended });
      seconds.observe({ type }, call.seconds);
    },
    payment({ isTest }, status) {
      if (!isTest) payments.inc({ status });
    },
  };
}
