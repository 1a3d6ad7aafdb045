import type { Capabilities, Pace } from "../channel.ts";

export const capabilities: Capabilities = {
  text: { length: 16_000 },
  caption: { length: 16_000 },
  buttons: { most: 100, title: 1_000 },
  formatting: "spans",
};

const rate = { perSecond: 50, burst: 50 };
export const pace: Pace = { connection: rate, contact: rate, group: rate };
