import type { KnownFault } from "../violation.ts";

/** Faults that are being mended. Whoever mends one removes its entry; nothing else is excused. */
export const knownFaults: readonly KnownFault[] = [
  {
    name: "payments-of-former-visits",
    reason:
      "Money is compared with what was asked once, not with what is asked now, and going back leaves its payment open (decision 35).",
    acts: ["start 0 0", "reply 0 0", "pay 0 0", "command 0 0", "reply 0 1"],
    isSeenIn: ({ invariant, facts }) =>
      (invariant === "charged" && "status" in facts) ||
      (invariant === "back" && facts["isMade"] === true) ||
      (invariant === "paid" && "costs" in facts),
  },
  {
    name: "provider-away",
    reason: "A provider that is away for a moment leads a visitor out of the chat (decision 35).",
    acts: ["start 0 0", "goAway 0 1", "reply 0 0"],
    isSeenIn: ({ invariant }) => invariant === "kept",
  },
  {
    name: "times-of-slow-steps",
    reason: "A time begins with its step, which may have waited for calls, and not with its question (decision 38).",
    acts: ["start 0 2", "slow 0 1", "reply 0 0"],
    isSeenIn: ({ invariant, facts }) => invariant === "inTime" && Object(facts["visit"]).isBehindCalls === true,
  },
  {
    name: "chats-of-one-result",
    reason: "Two open chats of one result overwrite each other's variables (decision 44).",
    acts: ["start 0 1", "startAgain 0 0", "reply 0 0", "reply 1 1", "reply 0 0"],
    isSeenIn: ({ invariant, facts }) =>
      invariant === "result" && facts["note"] === "variables" && Number(facts["chats"]) > 1,
  },
  {
    name: "calls-of-one-result",
    reason: "A call from outside reaches some chat of the result, not the one that gave the address out (decision 45).",
    acts: ["start 0 3", "startAgain 0 0", "reply 0 0", "reply 1 0", "callWaiting 0 0"],
    isSeenIn: ({ invariant, facts }) => invariant === "called" && Number(facts["chats"]) > 1,
  },
];
