import { describe, expect, test } from "bun:test";
import { judgeStart } from "../../../src/core/channels/start-condition.ts";
import { wordIn } from "../../../src/core/channels/words.ts";

const words = { stop: ["STOP", "/stop"], restart: ["Menü"], start: ["START"] };

test.each([
  ["stop", "stop"],
  [" Stop! ", "stop"],
  ["/stop", "stop"],
  ["MENÜ", "restart"],
  ["menu\u0308.", "restart"],
  ["start", "start"],
  ["Please stop", undefined],
  ["", undefined],
  ["…", undefined],
] as const)("the message %p is recognised as the command %p", (text, word) => {
  expect(wordIn(text, words)).toBe(word);
});

test("a long text that is not a command is rejected immediately", () => {
  const since = performance.now();
  expect(wordIn(`${"!".repeat(300_000)}a`, words)).toBeUndefined();
  expect(performance.now() - since).toBeLessThan(1_000);
});

const condition = (logicalOperator: string, ...comparisons: readonly (readonly [string | undefined, string?])[]) => ({
  logicalOperator,
  comparisons: comparisons.map(([comparisonOperator, value]) => ({ comparisonOperator, value })),
});
const matches = (pattern: string, text: string) => new RegExp(pattern).test(text);

describe("a condition on a first message", () => {
  test.each([
    ["without comparisons", { comparisons: [] }, "Hi", "any"],
    [
      "with comparisons that lack a value or an operator",
      condition("AND", ["Contains"], [undefined, "x"]),
      "Hi",
      "any",
    ],
    ["of equality, by the letter", condition("AND", ["Equal to", "Hi"]), "hi", "fails"],
    ["of a part, in any case", condition("AND", ["Contains", "price"]), "What PRICE?", "holds"],
    ["of two, one of which fails", condition("AND", ["Contains", "a"], ["Contains", "b"]), "a", "fails"],
    ["of two, one of which is enough", condition("OR", ["Contains", "a"], ["Contains", "b"]), "a", "holds"],
    ["by a pattern", condition("AND", ["Matches regex", "^order \\d+$"]), "order 12", "holds"],
    ["on a message without a text", condition("AND", ["Contains", "a"]), undefined, "fails"],
  ] as const)("a condition on a first message is evaluated correctly: %s", (_, stored, text, verdict) => {
    expect(judgeStart(stored, text, matches)).toBe(verdict);
  });
});
