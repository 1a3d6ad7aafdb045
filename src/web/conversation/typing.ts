import { listAt } from "./read.ts";
import { plainText } from "./rich-text.ts";
import type { Typing } from "./settings.ts";
import type { Bubble } from "./step.ts";

/** Returns how long the bot types before a bubble is shown. Bubbles without text get a short delay. */
export function typingMs(bubble: Bubble, typing: Typing): number {
  if (!typing.isEnabled) return 0;
  if (bubble.type !== "text") return Math.min(400, typing.maxDelayMs);
  const text = plainText(listAt(bubble.content, "richText"));
  // Counts words as runs of ASCII letters and digits. A text without such words is counted in characters.
  const words = text.match(/\w+/g)?.length ?? text.length;
  return Math.min((words / typing.wordsPerMinute) * 60_000, typing.maxDelayMs);
}
