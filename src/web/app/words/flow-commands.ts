import commandEnglish from "./en/command.json";
import removedEnglish from "./en/removed.json";
import { area, type WordsOf } from "./language.ts";

type Counts = {
  readonly groups: number;
  readonly blocks: number;
  readonly events: number;
  readonly items: number;
  readonly notes: number;
  readonly frames: number;
};

/** The parts of a flow as a removal counts them. */
export const removedWords = area("removed", removedEnglish);

/** "a group, 3 blocks". */
export function countedParts(counts: Counts): string {
  const words = removedWords.value;
  const parts = (["groups", "blocks", "events", "items", "notes", "frames"] as const).filter(
    (part) => counts[part] > 0,
  );
  return parts.map((part) => words[part]({ count: counts[part] })).join(", ");
}

/** The words of commands: what they do, and why not. */
export const commandWords = area("command", commandEnglish);

export type CommandWords = WordsOf<typeof commandWords>;
