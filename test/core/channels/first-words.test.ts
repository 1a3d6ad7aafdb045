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
] as const)("the message %p results in the command %p", (text, word) => {
  expect(wordIn(text, words)).toBe(word);
});

test("a very long text that is not a command is checked within a second", () => {
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
    ["no comparisons", { comparisons: [] }, "Hi", "any"],
    ["incomplete comparisons", condition("AND", ["Contains"], [undefined, "x"]), "Hi", "any"],
    ["equality, in the exact case", condition("AND", ["Equal to", "Hi"]), "hi", "fails"],
    ["a part of the text, in any case", condition("AND", ["Contains", "price"]), "What PRICE?", "holds"],
    [
      "two required comparisons, of which one fails",
      condition("AND", ["Contains", "a"], ["Contains", "b"]),
      "a",
      "fails",
    ],
    [
      "two alternative comparisons, of which one matches",
      condition("OR", ["Contains", "a"], ["Contains", "b"]),
      "a",
      "holds",
    ],
    ["a pattern", condition("AND", ["Matches regex", "^order \\d+$"]), "order 12", "holds"],
    ["a message without a text", condition("AND", ["Contains", "a"]), undefined, "fails"],
  ] as const)("a condition on a first message has the expected result: %s", (_, stored, text, verdict) => {
    expect(judgeStart(stored, text, matches)).toBe(verdict);
  });
});
