import { expect, test } from "bun:test";
import { apply } from "../../../../src/core/editing/changes/apply.ts";
import { copy, readClip } from "../../../../src/core/editing/references/clipboard.ts";
import { removeParts } from "../../../../src/core/editing/references/outlets.ts";
import { paste } from "../../../../src/core/editing/references/paste.ts";
import { asDraft } from "../commands.ts";

type Draft = ReturnType<typeof asDraft>;

const draftOf = (...titles: readonly string[]): Draft =>
  asDraft({ groups: titles.map((title, index) => ({ id: `g${index}`, title, blocks: [] })), edges: [] });
const titlesOf = ({ groups }: Draft) => groups.map(({ title }) => title);

/** Returns the draft after groups of another draft, or of the same draft, were pasted. */
function pasted(draft: Draft, groupIds: readonly string[], from = draft): Draft {
  const clip = readClip(JSON.stringify(copy(from, { groupIds })));
  let count = 0;
  const made = clip && paste(draft, clip, { newId: () => `new${draft.groups.length}x${count++}` });
  return asDraft(apply(draft, made?.changes ?? []));
}

test("each copy of a group gets a unique title", () => {
  const once = pasted(draftOf("Ask"), ["g0"]);
  const twice = pasted(once, ["g0"]);

  expect(titlesOf(twice)).toEqual(["Ask", "Ask (2)", "Ask (3)"]);
});

test("a copy of a copy gets the next number", () => {
  expect(titlesOf(pasted(draftOf("Ask", "Ask (2)"), ["g1"]))).toEqual(["Ask", "Ask (2)", "Ask (3)"]);
});

test("groups with equal titles that are pasted together get unique titles", () => {
  expect(titlesOf(pasted(draftOf("Start"), ["g0", "g1"], draftOf("Ask", "Ask")))).toEqual(["Start", "Ask", "Ask (2)"]);
});

test("a pasted group keeps its title if no other group has the title", () => {
  const draft = draftOf("Ask", "Other");
  const without = asDraft(apply(draft, removeParts(draft, { groupIds: ["g0"] })));

  expect(titlesOf(pasted(without, ["g0"], draft))).toEqual(["Other", "Ask"]);
  expect(titlesOf(pasted(draftOf("Other"), ["g0"], draftOf("Question (3)")))).toEqual(["Other", "Question (3)"]);
});

test("a copy of a group without a title has no title", () => {
  expect(titlesOf(pasted(draftOf(""), ["g0"]))).toEqual(["", ""]);
});
