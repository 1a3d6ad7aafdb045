import removedWords from "./en/removed.json";
import { currentWords } from "./language.ts";

type Counts = {
  readonly groups: number;
  readonly blocks: number;
  readonly events: number;
  readonly items: number;
  readonly notes: number;
  readonly frames: number;
};

/** Returns a text such as "a group, 3 blocks". */
export function countedParts(counts: Counts): string {
  const words = currentWords(removedWords);
  const parts = (["groups", "blocks", "events", "items", "notes", "frames"] as const).filter(
    (part) => counts[part] > 0,
  );
  return parts.map((part) => words[part]({ count: counts[part] })).join(", ");
}
