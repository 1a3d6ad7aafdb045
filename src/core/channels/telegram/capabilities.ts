import type { Capabilities, Pace } from "../channel.ts";

const megabyte = 1_048_576;

/** As https://core.telegram.org/bots/api and https://core.telegram.org/bots/faq say it, read on 2026-11-29. */
export const capabilities: Capabilities = {
  // Entities beyond about 100 are ignored: found by others, on no page.
  text: { length: 4_096, spans: 100 },
  caption: { length: 1_024 },
  // Titles have no documented bound: longer ones are not read on a phone.
  buttons: { most: 30, title: 64 },
  media: { image: 10 * megabyte, video: 50 * megabyte, audio: 50 * megabyte, document: 50 * megabyte },
  // Private chats alone have drafts.
  drafts: { length: 4_096, seconds: 30 },
  formatting: "spans",
};

/** The page gives these as guidance, so an answer's `retry_after` rules. */
export const pace: Pace = {
  connection: { perSecond: 30, burst: 30 },
  contact: { perSecond: 1, burst: 3 },
  group: { perSecond: 20 / 60, burst: 3 },
};
