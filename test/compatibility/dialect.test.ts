import { describe, expect, test } from "bun:test";
import { settingsFromDialect, settingsInDialect } from "../../src/core/flow/dialect.ts";

const written = {
  general: {},
  messenger: { isEnabled: true },
  metadata: { title: "T", tagManagerId: "GTM-1", more: 1 },
  other: 2,
};
const stored = {
  general: {},
  whatsApp: { isEnabled: true },
  metadata: { title: "T", googleTagManagerId: "GTM-1", more: 1 },
  other: 2,
};

describe("settings on /bots", () => {
  test("settings on /bots are stored under the exchange format's names", () => {
    expect(JSON.stringify(settingsFromDialect("bot", written))).toBe(JSON.stringify(stored));
    expect(JSON.stringify(settingsInDialect("bot", stored))).toBe(JSON.stringify(written));
  });

  test("settings on /bots can be sent under the stored names", () => {
    expect(settingsFromDialect("bot", stored)).toEqual(stored);
  });

  test("settings on /bots use the value under Parley's name if both names are sent", () => {
    const both = { whatsApp: { a: 1 }, messenger: { b: 2 } };
    expect(settingsFromDialect("bot", both)).toEqual({ whatsApp: { b: 2 } });
  });

  test("settings on /bots stay the same object if nothing is renamed", () => {
    const settings = { metadata: "text", general: {} };
    expect(settingsFromDialect("bot", settings)).toBe(settings);
    expect(settingsInDialect("bot", settings)).toBe(settings);
  });
});

test("settings on /typebots are stored and returned unchanged", () => {
  expect(settingsFromDialect("typebot", written)).toBe(written);
  expect(settingsInDialect("typebot", stored)).toBe(stored);
});
