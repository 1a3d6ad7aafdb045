import type { Kept } from "../campaign.ts";

/** Earlier counterexamples whose faults are fixed. Each run begins with their acts. */
export const kept: readonly Kept[] = [
  {
    fault: "A payment of a former visit counted for what costs more",
    acts: ["start 0 0", "reply 0 0", "pay 0 0", "command 0 0", "reply 0 1"],
  },
  {
    fault: "A provider that is away for a moment led a visitor out of the chat",
    acts: ["start 0 0", "goAway 0 1", "reply 0 0"],
  },
  {
    fault: "A question's time began with the slow step in front of it",
    acts: ["start 0 2", "slow 0 1", "reply 0 0"],
  },
  {
    fault: "A visitor who had paid while the provider was away read that the payment had failed",
    acts: ["start 0 7", "reply 2 0", "goAway 0 2", "sayPaid 0 2", "pay 0 0", "pass 0 0"],
  },
  {
    fault: "A call reached another chat of the result than the one that gave the address out",
    acts: ["start 0 3", "startAgain 0 0", "reply 0 0", "reply 1 0", "callWaiting 0 0"],
  },
  {
    fault: "Two open chats of one result overwrote each other's variables",
    acts: ["start 0 1", "startAgain 0 0", "reply 0 0", "reply 1 1", "reply 0 0"],
  },
  {
    fault: "A going back that was refused kept a chat from moving at its next step",
    acts: ["start 3 9", "reply 1 0", "reply 1 5", "publish 1 5", "pay 3 5", "goBack 3 0", "sayPaid 3 0"],
  },
  {
    fault: "A dearer payment that came late paid for another visit",
    acts: ["start 0 7", "reply 0 1", "command 0 11", "payLate 0 1", "reply 0 3"],
  },
  {
    fault: "A variable that was set to the value that its chat already had counted, in the model, as not set",
    acts: ["start 0 11", "reply 1 2", "reply 0 6", "startAgain 1 1", "goBack 0 9", "reply 1 3", "tryAgain 0 3"],
  },
  {
    fault: "A payment that was gone back over hid an earlier one that was made: visitors went back over that, too",
    acts: ["start 0 0", "reply 0 0", "pay 0 1", "command 0 0", "reply 0 1", "goBack 1 4", "goBack 1 1"],
  },
];
