import { describe, expect, test } from "bun:test";
import { parseUntrustedJson } from "../../../../src/core/interpreter/language/untrusted-json.ts";
import { limits } from "../../../../src/limits/index.ts";

const nested = (depth: number) => "[".repeat(depth) + " ".repeat(limits.request.jsonDepth) + "]".repeat(depth);

describe("external JSON", () => {
  test.each([
    ["null", null],
    ["0", 0],
    ['"text"', "text"],
    [' {"a":[1,true,null]} ', { a: [1, true, null] }],
    ["9007199254740991", 9007199254740991],
    ["1e300", 1e300],
    ["1234567890123456.5", 1234567890123456.5],
  ])("the JSON %s is parsed", (text, value) => {
    expect(parseUntrustedJson(text)).toEqual({ value });
  });

  test.each(["", "text", "{a:1}", "[1,]", "{", '"\n"', nested(limits.request.jsonDepth + 1), "[".repeat(1_000_000)])(
    "the text %p is not parsed as JSON",
    (text) => {
      expect(parseUntrustedJson(text)).toBeUndefined();
    },
  );

  test("external JSON may have the maximum depth of request bodies", () => {
    expect(parseUntrustedJson(nested(limits.request.jsonDepth))).toBeDefined();
  });

  test("external JSON preserves the digits of long integers", () => {
    const text =
      '{"a":12345678901234567890,"b":[-9007199254740993],"c":"12345678901234567890","d":12345678901234567890.5}';

    expect(parseUntrustedJson(text)?.value).toEqual({
      a: "12345678901234567890",
      b: ["-9007199254740993"],
      c: "12345678901234567890",
      d: expect.any(Number),
    });
  });

  test("U+0000 and unpaired surrogates in external JSON are replaced", () => {
    const text = '{"a\\u0000":["\\ud800","\\uDFFF\\u0000","\\ud83d\\ude00"]}';

    expect(parseUntrustedJson(text)?.value).toEqual({ "a\ufffd": ["\ufffd", "\ufffd\ufffd", "😀"] });
  });

  test("names of built-in properties are ordinary keys in external JSON", () => {
    for (const text of [
      '{"__proto__":{"a":1},"constructor":2}',
      '{"__proto__":{"a":1},"constructor":2,"b":"\\u0000"}',
    ]) {
      const value = parseUntrustedJson(text)?.value;

      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(JSON.stringify(value)).toStartWith('{"__proto__":{"a":1},"constructor":2');
    }
  });
});
