import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  cleanText,
  guessType,
  normalise,
  normaliseExact,
  toText,
  type Value,
} from "../../../../src/core/interpreter/language/values.ts";

describe("a value that a variable stores", () => {
  const written: [title: string, value: unknown, kept: Value][] = [
    ["undefined", undefined, null],
    ["not a number", Number.NaN, "null"],
    ["a big integer", 10n, null],
    ["a list of a big integer", [10n, 1], [null, "1"]],
    ["an object with a big integer", { a: 10n }, null],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a list of a date", [new Date(0)], ['"1970-01-01T00:00:00.000Z"']],
    [
      "a mixed list",
      ["a", 1, null, undefined, true, { b: 1 }, ["c"]],
      ["a", "1", null, null, "true", '{"b":1}', '["c"]'],
    ],
    ["a function", () => 1, null],
  ];

  test.each(written)("a value that a variable stores has the documented form: %s", (_title, value, kept) => {
    expect(normalise(value)).toEqual(kept);
  });

  test("a model's answer preserves its backslashes, as a text and in a list", () => {
    const text = "\\(x\\)";
    expect([normaliseExact(text), normaliseExact([text, 1, ""])]).toEqual([text, [text, "1", null]]);
    expect(normalise(text)).toBe("\\\\(x\\\\)");
  });

  test("a value that contains itself is stored as null", () => {
    const self: Record<string, unknown> = {};
    self["self"] = self;
    expect(normalise(self)).toBeNull();
  });

  test("a normalised value does not change when it is normalised again", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\\a-z"]*$/), fc.array(fc.string())),
        (value) => {
          const kept = normalise(value);
          expect(normalise(kept)).toEqual(kept);
        },
      ),
    );
  });

  test("the normalised form of any value can be stored", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const texts = [normalise(value)].flat();
        expect(
          texts.every((text) => text === null || (text !== "" && text.isWellFormed() && !text.includes("\0"))),
        ).toBe(true);
      }),
    );
  });
});

test("the texts undefined and Infinity are read as the JavaScript values", () => {
  expect([guessType("undefined"), guessType("Infinity")]).toEqual([undefined, Number.POSITIVE_INFINITY]);
});

test("a list appears in a text as compact JSON", () => {
  expect([toText("text"), toText(["a", "b", null]), toText([]), toText(null)]).toEqual([
    "text",
    '["a","b",null]',
    "[]",
    "",
  ]);
});

test("cleaning replaces only U+0000 and unpaired surrogates", () => {
  expect(cleanText("\udc00 a\0 \n\t😀\ud83d")).toBe("\ufffd a\ufffd \n\t😀\ufffd");
});
