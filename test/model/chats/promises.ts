import { holderOf } from "../violation.ts";

/** All promises that the model checks, each with its sentence. */
export const promises = {
  shown: "A step shows what its flow says there, and asks what comes next.",
  answered: "An acknowledged answer is stored once, in its order, and nothing else is.",
  paid: "Nothing counts as paid for less than it costs at that visit.",
  charged: "A visitor is asked for what the flow asks at that visit, and can pay for one thing at a time.",
  kept: "A provider that is away for a moment loses no payment, and leads nobody out of the chat.",
  inTime: "No time is over before its question has stood that long.",
  due: "What is due happens: a time that is over, a payment that was reported, a call that came.",
  repeated: "The same request twice is one step, with the same answer.",
  former: "A reply to a former step changes nothing, and is told what has happened since.",
  back: "Going back asks the last answered question again and takes back its answer, never a payment.",
  called: "A call from outside reaches its block once, and waits where it comes too early.",
  version: "A chat runs on the version on which it began, or on the one that running chats are moved to.",
  survived: "A node that dies loses nothing that was acknowledged, and does nothing twice.",
  stopped: "A stopped answer is the beginning of the whole one.",
  refused: "What cannot be done is refused with its code, and changes nothing.",
  history: "A session's history is what its visitor saw and said.",
  transcript: "A transcript says what the visitor saw and said.",
  result: "A result has the standing answers and variables of its chats, and whether it is started, complete and paid.",
  listed: "The list of results says what the single result says.",
  exported: "An export says what the single result says.",
  told: "Events say each answer, payment and end once.",
  counted: "Insight counts what the results say.",
  open: "A row waits for each open time, and for no other.",
  logged: "A result's log has an entry for what went wrong, and for nothing else.",
  erased: "After an erasure nothing is left of a chat.",
} as const;

export type Promised = keyof typeof promises;

export const { hold, holdEqual } = holderOf(promises);
