import { expect, test } from "bun:test";
import { estimateCharacters } from "../../../../src/core/interpreter/language/estimate-characters.ts";

test("the estimated characters of a value include the characters of nested values", () => {
  expect(estimateCharacters("four")).toBe(7);
  expect([null, undefined, true, 5].map(estimateCharacters)).toEqual([6, 6, 6, 6]);
  expect(estimateCharacters(["four", null, ["x"]])).toBe(3 + 7 + 6 + (3 + 4));
  expect(estimateCharacters({ name: "four", list: ["x"] })).toBe(3 + (4 + 3 + 7) + (4 + 3 + (3 + 4)));
});
