import { flagAt, listAt, numberAt } from "./read.ts";
import { plainText } from "./rich-text.ts";
import type { Bubble } from "./step.ts";

/** How a bot types. */
export type Typing = {
  readonly isEnabled: boolean;
  readonly wordsPerMinute: number;
  readonly maxDelayMs: number;
  readonly betweenBubblesMs: number;
  readonly isDisabledOnFirstMessage: boolean;
};

/** Reads how a bot types from its settings. */
export function typingOf(settings: unknown): Typing {
  const at = (name: string) => numberAt(settings, "typingEmulation", name);
  return {
    isEnabled:
      flagAt(settings, "typingEmulation", "enabled") ?? flagAt(settings, "general", "isTypingEmulationEnabled") ?? true,
    wordsPerMinute: Math.max(1, at("speed") ?? 400),
    maxDelayMs: Math.max(0, at("maxDelay") ?? 3) * 1000,
    betweenBubblesMs: Math.min(5, Math.max(0, at("delayBetweenBubbles") ?? 0)) * 1000,
    isDisabledOnFirstMessage: flagAt(settings, "typingEmulation", "isDisabledOnFirstMessage") ?? true,
  };
}

/** How long the bot types before a bubble is shown. Pictures and the like have no words: a short breath. */
export function typingMs(bubble: Bubble, typing: Typing): number {
  if (!typing.isEnabled) return 0;
  if (bubble.type !== "text") return Math.min(400, typing.maxDelayMs);
  const text = plainText(listAt(bubble.content, "richText"));
  // Words as they are counted elsewhere: runs of ASCII letters and digits, else characters.
  const words = text.match(/\w+/g)?.length ?? text.length;
  return Math.min((words / typing.wordsPerMinute) * 60_000, typing.maxDelayMs);
}
