import { describe, expect, test } from "bun:test";
import { factsOf } from "../../../src/core/flow/facts.ts";

describe("the facts of a flow", () => {
  test("the facts of a flow without settings are the defaults", () => {
    expect(factsOf({ settings: {} })).toEqual({
      allowedOrigins: null,
      remembersUser: false,
      rememberStorage: "session",
      lifetimeMinutes: 24 * 60,
      closedMessage: null,
      isAuthorCodeDisabled: false,
      bringsCode: false,
    });
  });

  test("the facts of a flow contain the allowed origins", () => {
    const originsOf = (allowedOrigins: unknown) =>
      factsOf({ settings: { security: { allowedOrigins } } }).allowedOrigins;
    expect(originsOf(["https://a.example", null, 5])).toEqual(["https://a.example"]);
    expect(originsOf([])).toBeNull();
    expect(originsOf("https://a.example")).toBeNull();
  });

  test("a session lasts 30 days if local storage remembers visitors", () => {
    const remember = (storage: string | undefined) =>
      factsOf({ settings: { general: { rememberUser: { isEnabled: true, storage } } } });
    expect(remember("local")).toMatchObject({
      remembersUser: true,
      rememberStorage: "local",
      lifetimeMinutes: 30 * 24 * 60,
    });
    expect(remember("session")).toMatchObject({
      remembersUser: true,
      rememberStorage: "session",
      lifetimeMinutes: 24 * 60,
    });
    expect(remember(undefined)).toMatchObject({ remembersUser: true, rememberStorage: "session" });
  });

  test("the new setting for remembering visitors overrides the old one", () => {
    const remembers = (general: Record<string, unknown>) => factsOf({ settings: { general } }).remembersUser;
    expect(remembers({ isNewResultOnRefreshEnabled: false })).toBe(true);
    expect(remembers({ isNewResultOnRefreshEnabled: true })).toBe(false);
    expect(remembers({ isNewResultOnRefreshEnabled: false, rememberUser: { isEnabled: false } })).toBe(false);
    expect(remembers({ isNewResultOnRefreshEnabled: false, rememberUser: { storage: "local" } })).toBe(true);
  });

  test("the facts of a flow contain the message for a closed bot", () => {
    const closed = (botClosed: unknown) =>
      factsOf({ settings: { general: { systemMessages: { botClosed } } } }).closedMessage;
    expect(closed("Back on Monday")).toBe("Back on Monday");
    expect(closed("")).toBeNull();
  });
});
