import type { Kept } from "../campaign.ts";

/** Earlier counterexamples whose faults are fixed. The tests repeat their acts. */
export const kept: readonly Kept[] = [
  {
    fault: "a payment of an earlier visit counts for a more expensive visit",
    acts: ["start 0 0", "reply 0 0", "pay 0 0", "command 0 0", "reply 0 1"],
  },
  {
    fault: "a provider that is briefly unavailable ends the chat",
    acts: ["start 0 0", "goAway 0 1", "reply 0 0"],
  },
  {
    fault: "the time limit of a question includes the slow step before the question",
    acts: ["start 0 2", "slow 0 1", "reply 0 0"],
  },
  {
    fault: "a visitor who paid while the provider was unavailable is informed that the payment failed",
    acts: ["start 0 7", "reply 2 0", "goAway 0 2", "sayPaid 0 2", "pay 0 0", "pass 0 0"],
  },
  {
    fault: "a call reaches another chat of the result than the chat that returned the address",
    acts: ["start 0 3", "startAgain 0 0", "reply 0 0", "reply 1 0", "callWaiting 0 0"],
  },
  {
    fault: "two open chats of one result overwrite each other's variables",
    acts: ["start 0 1", "startAgain 0 0", "reply 0 0", "reply 1 1", "reply 0 0"],
  },
  {
    fault: "a refused request to go back prevents the chat from moving to a new version",
    acts: ["start 3 9", "reply 1 0", "reply 1 5", "publish 1 5", "pay 3 5", "goBack 3 0", "sayPaid 3 0"],
  },
  {
    fault: "a late payment of a higher amount counts for another visit",
    acts: ["start 0 7", "reply 0 1", "command 0 11", "payLate 0 1", "reply 0 3"],
  },
  {
    fault: "the model ignores a variable that is set to its current value",
    acts: ["start 0 11", "reply 1 2", "reply 0 6", "startAgain 1 1", "goBack 0 9", "reply 1 3", "tryAgain 0 3"],
  },
  {
    fault: "visitors can go back over a completed payment that precedes a cancelled payment",
    acts: ["start 0 0", "reply 0 0", "pay 0 1", "command 0 0", "reply 0 1", "goBack 1 4", "goBack 1 1"],
  },
];
