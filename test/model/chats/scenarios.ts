import type { Scenario } from "../campaign.ts";

/** A chat of the shop that waits for the payment of a cheap item. */
const atTheTill = [["start 0 0", "start 0 6", "start 0 7"], "reply 0 0"] as const;
const anyStart = "start 0 *";

/** Histories that combine features of chats. */
export const scenarios: readonly Scenario[] = [
  {
    means: "A visitor is asked for money, pays or not, goes elsewhere, and chooses what costs more.",
    acts: [
      ...atTheTill,
      ["pay 0 *", "look 0 *"],
      ["goBack 0 *", "command 0 *"],
      "reply 0 *",
      ["sayPaid 0 *", "reply 0 *"],
    ],
  },
  {
    means: "A visitor pays in another tab for what the chat no longer asks.",
    acts: [...atTheTill, "command 0 *", "reply 0 1", "payLate 0 *", ["report 0 *", "sayPaid 0 *"], "reply 0 *"],
  },
  {
    means: "The provider is away when a visitor says that they have paid.",
    acts: [
      ...atTheTill,
      ["pay 0 *", "look 0 *"],
      "goAway 0 *",
      ["sayPaid 0 *", "replyWrongly 0 *"],
      "pass 0 *",
      "sayPaid 0 *",
    ],
  },
  {
    means: "The provider is away when a payment is to be shown, or gone back over.",
    acts: [
      ["start 0 0", "start 0 2"],
      "goAway 0 *",
      "reply 0 *",
      "goAway 0 *",
      ["goBack 0 *", "reply 0 *"],
      "pass 0 *",
    ],
  },
  {
    means: "A call is slow before a question or a payment that has a time.",
    acts: [["start 0 2", "start 0 9"], "slow 0 *", "reply 0 *", "slow 0 *", "reply 0 0", "pass 0 *"],
  },
  {
    means: "A call comes too early, and its chat comes to it, goes back and comes again.",
    acts: [
      ["start 0 3", "start 0 10"],
      ["call 0 *", "pass 0 *"],
      "reply 0 *",
      ["callWaiting 0 *", "goBack 0 *"],
      "reply 0 *",
      "callAgain 0 *",
    ],
  },
  {
    means: "A chat is moved in the midst, and its visitor goes back.",
    acts: [
      anyStart,
      "reply 0 *",
      ["publish 0 1", "move 0 *"],
      ["goBack 0 *", "reply 0 *", "sayPaid 0 *"],
      "reply 0 *",
      ["rollBack 0 *", "goBack 0 *"],
    ],
  },
  {
    means: "A visitor without scripts answers what was drawn before another version was published.",
    acts: [["openPage 0 *", "openPage 0 4", "openPage 0 5"], "postForm 0 *", "postForm 0 *"],
  },
  {
    means: "Two chats write one result.",
    acts: [anyStart, "reply 0 *", "startAgain 0 *", "reply 1 *", "reply 0 *", ["goBack 1 *", "goBack 0 *"]],
  },
  {
    means: "Two chats of one result wait for a call, and one of them is called.",
    acts: ["start 0 3", "startAgain 0 0", "reply 0 *", "reply 1 *", ["callWaiting 0 *", "callWaiting 1 *"]],
  },
  {
    means: "A node dies in a step that calls, and time goes on.",
    acts: [anyStart, ["slow 0 *", "goAway 0 *", "reply 0 *"], "crash 0 *", "again 0 *", "pass 0 *"],
  },
];
