import type { Capabilities, Pace } from "../channel.ts";

const megabyte = 1_048_576;

/** From https://core.telegram.org/bots/api and https://core.telegram.org/bots/faq, read on 2026-11-29. */
export const capabilities: Capabilities = {
  // Entities beyond about 100 are ignored: other developers report it, no page documents it.
  text: { length: 4_096, spans: 100 },
  caption: { length: 1_024 },
  // Titles have no documented bound: longer titles are unreadable on a phone.
  buttons: { most: 30, title: 64 },
  media: { image: 10 * megabyte, video: 50 * megabyte, audio: 50 * megabyte, document: 50 * megabyte },
  // Only private chats have drafts.
  drafts: { length: 4_096, seconds: 30 },
  formatting: "spans",
};

/** The page gives these numbers as guidance, so an answer's `retry_after` takes precedence. */
export const pace: Pace = {
  connection: { perSecond: 30, burst: 30 },
  contact: { perSecond: 1, burst: 3 },
  group: { perSecond: 20 / 60, burst: 3 },
};
