import { expect, test } from "bun:test";
import { guessType, normalise } from "../../../../src/core/interpreter/language/values.ts";
import vectors from "./value-vectors.json";

test.each(vectors.written)("a variable stores the normalised form of a value, $vector: $is", ({ value, kept }) => {
  const normalised: unknown = normalise(value);
  expect(normalised).toEqual(kept);
});

test.each(vectors.guessed)("code sees $value as $seen", ({ value, seen }) => {
  expect(guessType(value)).toEqual(seen);
});
