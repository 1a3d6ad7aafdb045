import type { Capabilities, Pace } from "../channel.ts";

const megabyte = 1_048_576;

/** Source: https://core.telegram.org/bots/api and https://core.telegram.org/bots/faq, read on 2026-11-29. */
export const capabilities: Capabilities = {
  // Entities beyond about 100 are ignored. Other developers report this limit; it is not documented.
  text: { length: 4_096, spans: 100 },
  caption: { length: 1_024 },
  // No limit for titles is documented. Longer titles are unreadable on a phone.
  buttons: { most: 30, title: 64 },
  media: { image: 10 * megabyte, video: 50 * megabyte, audio: 50 * megabyte, document: 50 * megabyte },
  // Drafts are available only in private chats.
  drafts: { length: 4_096, seconds: 30 },
  formatting: "spans",
};

/** The documentation presents these numbers as guidance, so `retry_after` in a response takes precedence. */
export const pace: Pace = {
  connection: { perSecond: 30, burst: 30 },
  contact: { perSecond: 1, burst: 3 },
  group: { perSecond: 20 / 60, burst: 3 },
};
