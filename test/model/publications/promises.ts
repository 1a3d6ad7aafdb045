import { holderOf } from "../violation.ts";

/** The promises that acts of people and pipelines must keep, each as a sentence. */
export const promises = {
  done: "An act that may be done is done, and answers so.",
  unnamed: "What visitors get of a bot changes only by an act that names this bot.",
  named: "What visitors get of a bot is what the last act on it says.",
  planned: "A deploy does what its files and its lock say, or refuses before it sends anything.",
  pulled: "A pull writes the drafts as they are, and the lock says so.",
  copied: "A copy has the results of its bot, and no more of what visitors get.",
  found: "A person is found under each name that the variable has or had.",
  erased: "After a receipt no place shows the person.",
  read: "Nobody reads what they may not, also by a key.",
  restored: "A backup of a former release is restored, upgraded, with the work that waited.",
  logged: "Each act has its entry in the log of each workspace that it touched, and a refused one has none.",
} as const;

export type Promised = keyof typeof promises;

export const { hold, holdEqual } = holderOf(promises);
