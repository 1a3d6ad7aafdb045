import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Choosable, matchMany, matchOne } from "../../../../src/core/blocks/inputs/matching/choice-matching.ts";

const words = fc.constantFrom(
  "a",
  "b",
  "A",
  "ab",
  "B a",
  "é",
  "e\u0301",
  "1",
  "2",
  "12",
  "x+",
  ".n",
  "ß",
  "SS",
  "ſ",
  "İ",
);
const phrases = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));
const items = fc
  .array(
    fc.record({
      id: fc.constantFrom("id1", "a", "x y", "q"),
      value: fc.option(fc.oneof(phrases, fc.constant("")), { nil: undefined }),
      content: fc.option(fc.oneof(phrases, fc.constant("")), { nil: undefined }),
    }),
    { maxLength: 6 },
  )
  .map((list) => list.map((item, index) => ({ ...item, id: `${item.id}${index}` })));
const replies = fc
  .array(fc.oneof(words, fc.constantFrom("id10", "a1", "x", "y0", ",", "-", "\n", "\u00a0")), { maxLength: 8 })
  .chain((parts) => fc.constantFrom(" ", "", ", ").map((between) => parts.join(between)));

describe("several choices", () => {
  test("several choices are recognised exactly by the documented rules", () => {
    fc.assert(
      fc.property(items, replies, (list, reply) => {
        const found: readonly Choosable[] = matchMany(list, reply);
        expect(found).toEqual(manyByTheRules(list, reply));
      }),
      { numRuns: 1_500 },
    );
  });

  test("a choice of one letter is recognised in upper and lower case", () => {
    for (let code = 0xa0; code < 0x2_0000; code++) {
      const letter = String.fromCodePoint(code);
      for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
        if (other === letter || !new RegExp(`^${other}$`, "iu").test(letter)) continue;
        const found = matchMany([{ id: "id", content: letter }], other);
        expect([letter, other, found.length]).toEqual([letter, other, 1]);
      }
    }
  });
});

test("one choice is recognised exactly by the documented rules", () => {
  fc.assert(
    fc.property(items, replies, fc.option(fc.constantFrom("a0", "id11"), { nil: undefined }), (list, text, replyId) => {
      const found: Choosable | undefined = matchOne(list, { text, replyId });
      expect(found).toEqual(oneByTheRules(list, text, replyId));
    }),
    { numRuns: 1_500 },
  );
});

/** Applies the rules one by one, without any optimisation. */
function manyByTheRules(list: readonly Choosable[], reply: string): Choosable[] {
  let text = reply.trim();
  const found = new Set<Choosable>();
  for (const part of ["id", "value", "content"] as const) {
    for (const item of longestFirst(list)) {
      const phrase = (item[part] ?? "").trim();
      if (found.has(item) || phrase === "" || !appears(phrase, text)) continue;
      found.add(item);
      text = text.replace(phrase, () => "").trim();
    }
  }
  for (const [index, item] of list.entries()) if (appears(String(index + 1), text)) found.add(item);
  return list.filter((item) => found.has(item));
}

function oneByTheRules(list: readonly Choosable[], text: string, replyId: string | undefined): Choosable | undefined {
  const said = text.trim();
  return longestFirst(list).find(({ id, value, content }) => {
    const words = [value, content].map((part) => part?.trim()).filter((part) => part);
    return id === replyId || id === text || words.includes(said);
  });
}

function longestFirst(list: readonly Choosable[]): Choosable[] {
  return list.toSorted((left, right) => (right.content ?? "").length - (left.content ?? "").length);
}

function appears(phrase: string, text: string): boolean {
  const words = phrase.split(/\s+/).map(RegExp.escape).join("\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${words}(?![\\p{L}\\p{N}\\p{M}])`, "iu").test(text);
}
