import { expect, test } from "bun:test";
import { type Attempted, backOffMs, nextAfter } from "../../../src/channels/outbound/verdicts.ts";
import { limits } from "../../../src/limits/index.ts";

const fresh: Attempted = {
  ...{ ageMs: 0, attempts: 0, hasChoices: false, hasMedia: false, mayUpload: false, errorClass: null, isGroup: false },
};
const resend = { inDoubt: "resend", chance: 0.5 } as const;
const failed = (of: "auth" | "pair" | "window" | "content" | "media") =>
  ({ kind: "failed", class: of, code: "1", detail: "" }) as const;

test("the maximum pause between attempts doubles up to five minutes", () => {
  expect([0, 1, 2, 3].map((attempts) => backOffMs(attempts, 1))).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(backOffMs(30, 1)).toBe(300_000);
  expect(backOffMs(3, 0.25)).toBe(2_000);
});

test("the wait quadruples after each rate limit on one contact", () => {
  const waits = [0, 1, 2].map((attempts) => nextAfter(failed("pair"), { ...fresh, attempts }, resend));
  expect(waits.map((next) => next.kind === "again" && next.inMs)).toEqual([1_000, 4_000, 16_000]);
});

test("a message on a refused connection is retried until the message is a day old", () => {
  expect(nextAfter(failed("auth"), fresh, resend)).toMatchObject({ kind: "paused", isRefused: true });
  const old = { ...fresh, ageMs: limits.channels.retryHours * 3_600_000 + 1 };
  expect(nextAfter(failed("auth"), old, resend)).toMatchObject({ kind: "failed", dropsRest: false });
});

test("a rejected message is sent again in a simpler form only once", () => {
  const question = { ...fresh, hasChoices: true };
  expect(nextAfter(failed("content"), question, resend)).toMatchObject({ kind: "simpler", as: "numbers" });
  expect(nextAfter(failed("content"), { ...question, errorClass: "content" }, resend).kind).toBe("failed");
  expect(nextAfter(failed("media"), { ...fresh, hasMedia: true }, resend)).toMatchObject({
    kind: "simpler",
    as: "link",
  });
  expect(nextAfter(failed("media"), fresh, resend).kind).toBe("failed");
});

test("a response that pauses a connection determines the duration of the pause", () => {
  const verdict = { kind: "retry", scope: "connection", afterMs: 7_000 } as const;
  expect(nextAfter(verdict, fresh, resend)).toMatchObject({ kind: "paused", forMs: 7_000, isRefused: false });
});
