import type { KnownFault } from "../violation.ts";

/** Faults of the service or of the model that are being mended. Remove the entry of one that you mend; nothing else is excused. */
export const knownFaults: readonly KnownFault[] = [
  {
    name: "checked-payments",
    reason:
      "The model does not know yet that a chat asks a provider that was away by itself, and what the visitor reads meanwhile (decision 35).",
    acts: ["start 0 7", "reply 2 0", "goAway 0 2", "sayPaid 0 2"],
    isSeenIn: ({ invariant, facts }) => (invariant === "kept" || invariant === "due") && Number(facts["away"]) > 0,
  },
];
