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
  {
    name: "chats-of-one-result",
    reason: "Two open chats of one result overwrite each other's variables (decision 44).",
    acts: ["start 0 1", "startAgain 0 0", "reply 0 0", "reply 1 1", "reply 0 0"],
    isSeenIn: ({ invariant, facts }) =>
      invariant === "result" && facts["note"] === "variables" && Number(facts["chats"]) > 1,
  },
];
