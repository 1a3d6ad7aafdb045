import type { ChannelEvent } from "./channel.ts";

/** The part that is stored of a payload that cannot be read. */
const keptCharacters = 2_000;

/** An event for what is not as the channel documents it. Without an id of the provider's, its own text is its id. */
export function unreadable(payload: unknown, why: string, providerId?: string): ChannelEvent {
  const text = JSON.stringify(payload) ?? "";
  const start = text.slice(0, keptCharacters);
  return { kind: "unreadable", providerId: providerId ?? `unreadable ${start.slice(0, 200)}`, why, start };
}
