import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/config.ts";
import { defaultRules, holdsEverywhere, readRateLimits, rulesOf } from "../../src/limits/rate-rules.ts";
import { readText } from "../support/tidy/project.ts";

const find = (text: string, name: string) => rulesOf(text).find(({ scope, act }) => `${scope}.${act}` === name);

describe("RATE_LIMITS", () => {
  test("RATE_LIMITS=on enables the defaults", () => {
    expect(rulesOf("on").map(({ scope, act }) => `${scope}.${act}`)).toEqual(Object.keys(defaultRules));
    expect(rulesOf("off")).toEqual([]);
  });

  test.each([
    ["20/10s", { burst: 20, intervalMs: 500 }],
    ["20/10s:60", { burst: 60, intervalMs: 500 }],
    ["5/s", { burst: 5, intervalMs: 200 }],
    ["60/1m", { burst: 60, intervalMs: 1_000 }],
    ["1/1h", { burst: 1, intervalMs: 3_600_000 }],
  ])("RATE_LIMITS replaces a default with a limit of %s, and keeps the other defaults", (numbers, expected) => {
    const text = ` address.starts=1/s , session.steps=${numbers}`;
    expect(find(text, "session.steps")).toEqual({ scope: "session", act: "steps", ...expected, isChosen: true });
    expect(find(text, "bot.starts")).toEqual(find("on", "bot.starts"));
    expect(rulesOf(text)).toHaveLength(rulesOf("on").length);
  });

  test("RATE_LIMITS can disable a single limit", () => {
    expect(find("session.steps=off", "session.steps")).toBeUndefined();
  });

  test.each([
    ["yes", 'RATE_LIMITS must be on, off or limits such as session.steps=20/10s, and "yes" is not valid.'],
    [
      "on,session.steps=1/s",
      'RATE_LIMITS must be on, off or limits such as session.steps=20/10s, and "on" is not valid.',
    ],
    ["session.steps=1/s,", 'RATE_LIMITS must be on, off or limits such as session.steps=20/10s, and "" is not valid.'],
    [
      "session.stpes=1/s",
      `RATE_LIMITS has the unknown limit "session.stpes"; the limits are ${Object.keys(defaultRules).join(", ")}.`,
    ],
    ["session.steps=1/s,session.steps=2/s", "RATE_LIMITS names session.steps twice."],
    ...["", "fast", "20", "0/s", "1/0s", "1/s:0", "-1/s", "1.5/s", "20/10d", "1/s:x", "99999999/s"].map((numbers) => [
      `session.steps=${numbers}`,
      `RATE_LIMITS must have a number of requests and a time for session.steps, such as 20/10s, 20/10s:60 or off, instead of "${numbers}".`,
    ]),
  ])("the value %s of RATE_LIMITS stops the start with a message that describes the error", (text = "", sentence) => {
    expect(readRateLimits(text)).toHaveProperty("problem");
    expect(() => readConfig({ RATE_LIMITS: text })).toThrow(new ConfigError(sentence ?? ""));
  });
});

test("limits of a session, account or mailbox apply to local requests", () => {
  const names = (text: string) =>
    rulesOf(text)
      .filter(holdsEverywhere)
      .map(({ scope, act }) => `${scope}.${act}`);
  const session = Object.keys(defaultRules).filter((name) => name.startsWith("session."));
  const always = [...session, "user.signIns", "user.codes"];
  expect(session).toContain("session.steps");
  expect(names("on")).toEqual(always);
  expect(names("address.starts=1/s")).toEqual(["address.starts", ...always]);
});

test("the table in docs/rate-limits.md lists exactly the defaults", () => {
  const rows = [...readText("docs/rate-limits.md").matchAll(/^\| `.*$/gm)];
  const cells = rows.map(([row]) => row.split("|").map((cell) => cell.replaceAll(/[`,]/g, "").trim()));

  expect(cells.map(([, scope, act, rate, burst]) => [`${scope}.${act}`, `${rate}:${burst}`])).toEqual(
    Object.entries(defaultRules),
  );
});
