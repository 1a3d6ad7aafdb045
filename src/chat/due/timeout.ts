import type { DueKind } from "./kind.ts";

/** The time of an input without an answer is over, or of a block that waits for a call or for an event of a page. */
export const timeout: DueKind = {
  reply: () => ({ type: "timeout" }),
  isAwaited: ({ kind, visit }, { timer }) => timer?.kind === kind && timer.visit === visit,
};
