import { expect, test } from "bun:test";
import { magnitude } from "../../../../src/core/interpreter/language/comparison.ts";

/** The results of Date.parse in V8 (Node 20, in UTC), for which existing flows were written. */
const instants: Readonly<Record<string, string>> = {
  "2024-05-01": "2024-05-01T00:00:00.000Z",
  "2024-05-01T10:00": "2024-05-01T10:00:00.000Z",
  "2024-05-01T10:00:00+02:00": "2024-05-01T08:00:00.000Z",
  "2024-5-1": "2024-05-01T00:00:00.000Z",
  "2024-02-30": "2024-03-01T00:00:00.000Z",
  "May 1 2024": "2024-05-01T00:00:00.000Z",
  "1 May 2024": "2024-05-01T00:00:00.000Z",
  "Sat, 1 May 2024": "2024-05-01T00:00:00.000Z",
  "Mayday 5": "2001-05-05T00:00:00.000Z",
  "May 2024": "2024-05-01T00:00:00.000Z",
  "5/1/2024": "2024-05-01T00:00:00.000Z",
  "1.5.2024": "2024-01-05T00:00:00.000Z",
  "Tue May 01 2024 10:00:00 GMT+0200 (CEST)": "2024-05-01T08:00:00.000Z",
  "1/2": "2001-01-02T00:00:00.000Z",
  "1-1": "2001-01-01T00:00:00.000Z",
  "Hello 5": "2001-05-01T00:00:00.000Z",
  "Hello World 32": "2032-01-01T00:00:00.000Z",
  "foo-5": "2001-05-01T00:00:00.000Z",
  "(comment) May 5": "2001-05-05T00:00:00.000Z",
  "+5": "2001-05-01T00:00:00.000Z",
};

for (const [text, instant] of Object.entries(instants)) {
  test(`"${text}" counts as the instant ${instant}`, () => {
    expect(new Date(magnitude(text)).toISOString()).toBe(instant);
  });
}

const sizes: readonly (readonly [text: string, size: number])[] = [
  ["", 0],
  [" ", 0],
  ["42", 42],
  [" 1.5 ", 1.5],
  ["-3", -3],
  ["1e3", 1000],
  ["0x10", 16],
  ["2024", 2024],
  ["Infinity", Number.POSITIVE_INFINITY],
];

for (const [text, size] of sizes) {
  test(`${JSON.stringify(text)} counts as the number ${size}`, () => {
    expect(magnitude(text)).toBe(size);
  });
}

for (const text of [
  "hello",
  "Hello World",
  "Hello 13",
  "5 foo",
  "13/1/2024",
  "12:30",
  "May",
  "+33600000000",
  "1,000",
  "😀😀",
]) {
  test(`"${text}" counts as its length`, () => {
    expect(magnitude(text)).toBe(text.length);
  });
}
