import { typingDefaults } from "./defaults.ts";
import type { Settings } from "./settings.ts";

/** A bot's typing pauses, with defaults for missing values. */
export type Typing = Readonly<ReturnType<typeof typingOf>>;

export function typingOf({ general = {}, typingEmulation = {} }: Pick<Settings, "general" | "typingEmulation">) {
  const { enabled, speed, maxDelay, delayBetweenBubbles, isDisabledOnFirstMessage } = typingEmulation;
  return {
    isEnabled: enabled ?? general.isTypingEmulationEnabled ?? typingDefaults.enabled,
    wordsPerMinute: Math.max(1, speed ?? typingDefaults.speed),
    maxDelayMs: Math.max(0, maxDelay ?? typingDefaults.maxDelay) * 1000,
    betweenBubblesMs: Math.min(5, Math.max(0, delayBetweenBubbles ?? typingDefaults.delayBetweenBubbles)) * 1000,
    isDisabledOnFirstMessage: isDisabledOnFirstMessage ?? typingDefaults.isDisabledOnFirstMessage,
  };
}

/**
 * Returns the milliseconds for which the bot types before it shows a bubble with this text. A bubble without text, such
 * as a picture, gets a short delay.
 */
export function typingMs(text: string | undefined, typing: Typing): number {
  if (!typing.isEnabled) return 0;
  if (text === undefined) return Math.min(400, typing.maxDelayMs);
  // Counts words as runs of ASCII letters, digits and underscores. In a text without such words, every character counts
  // as a word.
  const words = text.match(/\w+/g)?.length ?? text.length;
  return Math.min((words / typing.wordsPerMinute) * 60_000, typing.maxDelayMs);
}
