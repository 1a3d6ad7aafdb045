import type { DueKind } from "./kind.ts";

/** A `Wait` block has waited, and its client has not come back first. */
export const wait: DueKind = {
  reply: () => ({ type: "wait" }),
  isAwaited: ({ kind, visit }, { timer }) => timer?.kind === kind && timer.visit === visit,
};
