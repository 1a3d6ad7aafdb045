import { expect, test } from "bun:test";
import { mergeTexts } from "../../../../../src/web/app/editor/working-copy/merge-values.ts";

test.each([
  ["Hello you", "Hello dear you", "Hello you there", "Hello dear you there"],
  ["Hello", "Good morning", "Good evening", "Good evening Good morning"],
  ["One two three", "One three", "One two three four", "One three four"],
  ["", "Mine", "Theirs", "Theirs Mine"],
  ["Same", "Same", "Other", "Other"],
  ["Same", "Other", "Same", "Other"],
])("the text %j with the edits %j and %j becomes %j", (before, mine, theirs, expected) => {
  expect(mergeTexts(before, mine, theirs)).toBe(expected);
});
