import type { ChannelEvent } from "./channel.ts";

/** The maximum number of characters that are stored of an unreadable payload. */
const keptCharacters = 2_000;

/**
 * Returns an event for a payload that does not match the channel's documentation. If the provider sent no id, the id is
 * derived from the payload's text.
 */
export function unreadable(payload: unknown, why: string, providerId?: string): ChannelEvent {
  const text = JSON.stringify(payload) ?? "";
  const start = text.slice(0, keptCharacters);
  return { kind: "unreadable", providerId: providerId ?? `unreadable ${start.slice(0, 200)}`, why, start };
}
