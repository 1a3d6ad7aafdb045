import type { ChannelEvent } from "./channel.ts";

/** The stored part of a payload that cannot be read. */
const keptCharacters = 2_000;

/**
 * An event for a payload that differs from the channel's documentation. Without an id of the provider, the payload's
 * text is its id.
 */
export function unreadable(payload: unknown, why: string, providerId?: string): ChannelEvent {
  const text = JSON.stringify(payload) ?? "";
  const start = text.slice(0, keptCharacters);
  return { kind: "unreadable", providerId: providerId ?? `unreadable ${start.slice(0, 200)}`, why, start };
}
