import type { Report } from "../core/interpreter/program/effect.ts";

/** No payment provider is connected, so no payment can be prepared: the input is shown without one, and accepts no reply. */
export function performPayment(): Report {
  return { kind: "refused", reason: "Payments are not available here: no payment provider is connected" };
}
