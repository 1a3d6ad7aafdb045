import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText, guessType, normalise, toText, type Value } from "../../src/interpreter/values.ts";

describe("what a variable keeps of a value that is written", () => {
  const written: [title: string, value: unknown, kept: Value][] = [
    ["M19 a number", 5, "5"],
    ["M19 a boolean", true, "true"],
    ["M19 an empty list", [], []],
    ["M19 a list of an empty text", [""], [null]],
    ["M19 an object", { a: 1 }, '{"a":1}'],
    ["M19 an empty text", "", null],
    ["M20 a backslash that begins no escape", "a\\d", "a\\\\d"],
    ["M20 a backslash that begins one", "a\\n", "a\\n"],
    ["a path that looks like an escape", "C:\\new", "C:\\new"],
    ["a path that does not", "C:\\Data", "C:\\\\Data"],
    ["a backslash at the end", "end\\", "end\\\\"],
    ["two backslashes", "a\\\\d", "a\\\\d"],
    ["three backslashes", "a\\\\\\d", "a\\\\\\\\d"],
    ["escaped quotes", "\\\" \\'", "\\\" \\'"],
    ["the JSON of an object with a backslash", { path: "C:\\Data" }, '{"path":"C:\\\\Data"}'],
    ["nothing", undefined, null],
    ["null", null, null],
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
    ["a blank text", " ", " "],
    ["a function", () => 1, null],
    ["an unpaired surrogate", "a\ud800b", "a\ufffdb"],
    ["a pair of surrogates", "😀", "😀"],
    ["U+0000", "a\0b", "a\ufffdb"],
  ];

  test.each(written)("%s", (_title, value, kept) => {
    expect(normalise(value)).toEqual(kept);
  });

  test("a value that contains itself is nothing", () => {
    const self: Record<string, unknown> = {};
    self["self"] = self;
    expect(normalise(self)).toBeNull();
  });

  test("writing it again changes nothing", () => {
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

  test("whatever is written can be stored", () => {
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

describe("what code sees of a variable", () => {
  const guesses: [value: Value, seen: unknown][] = [
    ["5", 5],
    ["5.50", 5.5],
    ["1e5", 100000],
    ["-3", -3],
    ["0", 0],
    ["0.5", 0.5],
    ["0123", "0123"],
    ["00", "00"],
    ["0x10", "0x10"],
    ["+33612345678", "+33612345678"],
    ["", 0],
    ["  ", 0],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["true", true],
    ["false", false],
    ["True", "True"],
    ["null", null],
    ["undefined", undefined],
    ["text", "text"],
    ["12 apples", "12 apples"],
    [null, null],
    [
      ["1", null, "true"],
      ["1", null, "true"],
    ],
  ];

  test.each(guesses)("%p is %p", (value, seen) => {
    expect(guessType(value)).toEqual(seen);
  });
});

test("a list stands in a text as compact JSON, nothing as nothing", () => {
  expect([toText("text"), toText(["a", "b", null]), toText([]), toText(null)]).toEqual([
    "text",
    '["a","b",null]',
    "[]",
    "",
  ]);
});

test("cleaning leaves everything but U+0000 and unpaired surrogates", () => {
  expect(cleanText("\udc00 a\0 \n\t\u0001😀\ud83d")).toBe("\ufffd a\ufffd \n\t\u0001😀\ufffd");
});
