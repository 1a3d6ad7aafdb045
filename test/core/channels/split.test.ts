import { expect, test } from "bun:test";
import fc from "fast-check";
import { endOf, type MarkedText, type Span } from "../../../src/core/channels/marked-text.ts";
import { shortened, splitText } from "../../../src/core/channels/split.ts";

const room = { length: 4_096, spans: 100 };
const split = (text: string, spans: readonly Span[] = [], most = 10) => splitText({ text, spans }, { room, most });
const lengths = (parts: readonly MarkedText[]) => parts.map(({ text }) => text.length);
const family = "👨‍👩‍👧‍👦";

test.each<[string, string, readonly number[]]>([
  ["a text of the maximum length", "x".repeat(4_096), [4_096]],
  ["a text with one character too many", "x".repeat(4_097), [4_096, 1]],
  ["a paragraph near the end", `${"x".repeat(4_000)}\n\n${"y".repeat(200)}`, [4_000, 200]],
  ["a line break before a later space", `${"x ".repeat(1_000)}\n${"y ".repeat(1_500)}`, [1_999, 2_999]],
  ["the end of a sentence before a later space", `${"x".repeat(3_000)}. ${"y ".repeat(800)}`, [3_001, 1_599]],
  ["an emoji of a family at the end", "x".repeat(4_090) + family, [4_090, family.length]],
  ["an empty text", "", []],
])("a text is split only above the maximum length, at a natural boundary if possible: %s", (_, text, expected) => {
  expect(lengths(split(text).parts)).toEqual([...expected]);
});

test("formatting continues in the next message, and a link is not split", () => {
  const text = `${"x".repeat(4_000)} ${"y".repeat(200)}`;
  const bold = split(text, [{ kind: "bold", from: 10, length: 4_100 }]).parts;
  const linked = split("z".repeat(4_200), [{ kind: "link", from: 4_000, length: 150, url: "https://e.org" }]).parts;

  expect(bold.map(({ spans }) => spans)).toEqual([
    [{ kind: "bold", from: 10, length: 3_990 }],
    [{ kind: "bold", from: 0, length: 109 }],
  ]);
  expect(lengths(linked)).toEqual([4_000, 200]);
  expect(linked[1]?.spans).toEqual([{ kind: "link", from: 0, length: 150, url: "https://e.org" }]);
});

test("a message has at most a hundred formatted parts", () => {
  const spans = Array.from({ length: 150 }, (_, index): Span => ({ kind: "bold", from: index * 4, length: 2 }));
  const { parts } = split("ab, ".repeat(150), spans);

  expect(parts.map((part) => part.spans.length)).toEqual([100, 50]);
});

test("a text that needs too many messages ends in an ellipsis", () => {
  const { parts, isCut } = split("x".repeat(50_000));

  expect(lengths(parts)).toEqual(Array.from({ length: 10 }, () => 4_096));
  expect(parts.at(-1)?.text.endsWith("…")).toBe(true);
  expect(isCut).toBe(true);
  expect(shortened(`ab${family}`, 5)).toBe("ab…");
});

const texts = fc.array(fc.constantFrom("a", "bc ", "\n", "\n\n", ". ", family, "e\u0301", "𝄞", "  "), {
  maxLength: 200,
});

test("random texts are split within the length limit, and lose only white space", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 12, max: 60 }), fc.nat(), fc.nat(), (said, roomLength, place, size) => {
      const text = said.join("").trim();
      const start = text === "" ? 0 : place % text.length;
      const words = text.slice(start, start + 1 + (size % 40));
      const length = words.trim().length;
      const from = start + words.length - words.trimStart().length;
      const spans: Span[] = length === 0 ? [] : [{ kind: "bold", from, length }];
      const { parts } = splitText({ text, spans }, { room: { length: roomLength, spans: 100 }, most: 1_000 });

      for (const part of parts) {
        expect(part.text.length).toBeLessThanOrEqual(roomLength);
        expect(part.text.isWellFormed()).toBe(true);
        for (const one of part.spans) {
          const marked = part.text.slice(one.from, endOf(one));
          expect(marked).toBe(marked.trim());
          expect(marked.length).toBe(one.length);
          expect(one.length).toBeGreaterThan(0);
        }
      }
      const unblanked = (all: string) => all.replace(/\s+/g, "");
      expect(unblanked(parts.map((part) => part.text).join(""))).toBe(unblanked(text));
    }),
  );
});
