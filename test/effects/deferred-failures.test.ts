import { expect, test } from "bun:test";
import { failedEnd } from "../../src/effects/deferred/post-to-service.ts";

test.each([
  ["credentials", "credentials", false],
  ["address", "http.unanswered", false],
  ["unreachable", "http.unanswered", true],
] as const)('a deferred call that fails with the reason "%s" is counted as "%s"', (reason, failure, isRetryable) => {
  const end = failedEnd("Segment", { kind: "call", failure: { reason } });
  expect(end).toMatchObject({ kind: "failed", reason, failure, isRetryable });
});
