import { expect, test } from "bun:test";
import fc from "fast-check";
import { chunksOf, noChunks } from "../../../../src/web/components/transcript/chunks.ts";
import type { Entry } from "../../../../src/web/conversation/transcript.ts";

/**
 * Entries of a transcript: texts of the bot, answers, and notes. An empty text is not shown, and some texts have their
 * own avatar.
 */
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ text: fc.constantFrom("", "Hello", "Bye"), avatar: fc.constantFrom({}, { avatar: "a.png" }) }).map(
    ({ text, avatar }): Entry => ({
      kind: "bubble",
      bubble: { id: "b", type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } },
      ...avatar,
    }),
  ),
  fc.constant<Entry>({ kind: "answer", answer: { text: "Yes", files: [], asked: { id: "i", type: "text input" } } }),
  fc.constant<Entry>({ kind: "note", text: "Noted" }),
);
const copied = entry.map((one) => ({ ...one }));

test("an updated conversation is grouped like a new conversation", () => {
  fc.assert(
    fc.property(
      fc.array(copied, { maxLength: 120 }),
      fc.nat(120),
      fc.array(copied, { maxLength: 4 }),
      (all, at, added) => {
        const before = chunksOf(all, noChunks);
        const changed = [...all.slice(0, at), ...added];

        const { chunks, stretches } = chunksOf(changed, before);

        expect([...chunks]).toEqual([...chunksOf(changed, noChunks).chunks]);
        expect(stretches.flat()).toEqual([...chunks]);
        expect(stretches.slice(0, -1).every(({ length }) => length === 16)).toBe(true);
      },
    ),
  );
});

test("chunks that a new answer leaves unchanged stay the same objects", () => {
  const said = Array.from({ length: 100 }, (_, index) => sample(index));
  const before = chunksOf(said, noChunks);

  const after = chunksOf([...said, sample(0)], before);

  expect(after.chunks.slice(0, -1).every((chunk, index) => chunk === before.chunks[index])).toBe(true);
  expect(after.stretches.slice(0, 6).every((stretch, index) => stretch === before.stretches[index])).toBe(true);
  expect(after.stretches).toHaveLength(7);
});

/** Returns a note or an answer, in turn. */
function sample(index: number): Entry {
  return index % 2 === 0
    ? { kind: "note", text: "Noted" }
    : { kind: "answer", answer: { text: "Yes", files: [], asked: { id: "i", type: "text input" } } };
}
