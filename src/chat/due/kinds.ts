import { call, keptCall } from "./call.ts";
import type { DueKind } from "./kind.ts";
import { payment } from "./payment.ts";

/** A `Wait` block has waited, and its client has not come back first. */
const wait: DueKind = {
  reply: () => ({ type: "wait" }),
  isAwaited: ({ kind, visit }, { timer }) => timer?.kind === kind && timer.visit === visit,
};

/** The time of an input without an answer is over, or of a block that waits for a call or for an event of a page. */
const timeout: DueKind = {
  reply: () => ({ type: "timeout" }),
  isAwaited: ({ kind, visit }, { timer }) => timer?.kind === kind && timer.visit === visit,
};

/** Every kind, by the word in its rows. */
export const dueKinds: ReadonlyMap<string, DueKind> = new Map(
  Object.entries({ timeout, wait, call, keptCall, payment }),
);
