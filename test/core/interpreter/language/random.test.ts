import { expect, test } from "bun:test";
import { createRandom } from "../../../../src/core/interpreter/language/random.ts";

const seed = "0123456789abcdeffedcba9876543210";
const numbers = (random: { next(): number }, count: number) =>
  Array.from({ length: count }, () => Math.floor(random.next() * 2 ** 32).toString(16));

test("a seed gives the recorded numbers and letters", () => {
  const random = createRandom(seed);

  expect(numbers(random, 4)).toEqual(["99998498", "6666695f", "cce4e1e2", "c71d785f"]);
  expect(random.text(8)).toBe("ybkm7uuw");
  expect(random.drawn()).toBe(12);
});

test("each of the first 31 digits of the seed affects the sequence", () => {
  const first = numbers(createRandom(seed), 9).join();
  for (let digit = 0; digit < 31; digit++) {
    const other = seed.slice(0, digit) + (seed[digit] === "7" ? "8" : "7") + seed.slice(digit + 1);
    expect(numbers(createRandom(other), 9).join()).not.toBe(first);
  }
});

test("a sequence continues after the numbers that were already drawn", () => {
  const random = createRandom(seed, 2);
  expect(random.drawn()).toBe(2);

  expect(numbers(random, 2)).toEqual(["cce4e1e2", "c71d785f"]);
  expect(random.drawn()).toBe(4);
});
