import { expect, test } from "bun:test";
import { firstChecks } from "../../../src/web/app/bot-bar/first-checks.ts";
import { asDraft } from "../../../src/web/app/editor/working-copy/replica.ts";

const facts = { name: "Tea shop", isFaint: false, isTried: true };
const says = { id: "says", type: "text" };
const choice = (id: string, outgoingEdgeId?: string) => ({ id, type: "choice input", items: [], outgoingEdgeId });
const draftOf = (...groups: readonly (readonly object[])[]) =>
  asDraft({
    ...{ variables: [], theme: {}, settings: {} },
    groups: groups.map((blocks, index) => ({ id: `g${index}`, title: "", blocks })),
    events: [{ id: "start", type: "start", outgoingEdgeId: "e0" }],
    edges: [
      { id: "e0", from: { eventId: "start" }, to: { groupId: "g0" } },
      { id: "e1", from: { blockId: "first" }, to: { groupId: "g1" } },
    ],
  });
const openOf = (draft: ReturnType<typeof draftOf>, more: object = {}) =>
  firstChecks(draft, { ...facts, ...more }).flatMap(({ check, isDone, blockId }) => (isDone ? [] : [[check, blockId]]));

test("a choice without a question before it is reported", () => {
  expect(openOf(draftOf([says, choice("first")]))).toEqual([]);
  expect(openOf(draftOf([choice("first")]))).toEqual([["question", "first"]]);
  expect(openOf(draftOf([says, choice("first"), choice("second")]))).toEqual([["question", "second"]]);
  expect(openOf(draftOf([says, choice("first", "e1")], [choice("second")]))).toEqual([["question", "second"]]);
  expect(openOf(draftOf([{ ...says, id: "first" }], [choice("second")]))).toEqual([]);
  expect(openOf(draftOf([{ id: "first", type: "Wait" }], [choice("second")]))).toEqual([]);
  expect(openOf(draftOf([says, choice("first"), says, { id: "w", type: "Wait" }, choice("second")]))).toEqual([]);
});

test("low contrast, a placeholder name and an untested bot are reported", () => {
  const draft = draftOf([says]);
  expect(openOf(draft, { isFaint: true, isTried: false })).toEqual([
    ["contrast", undefined],
    ["phone", undefined],
  ]);
  for (const name of ["Tea shop (copy)", "Test", "T"]) expect(openOf(draft, { name })).toEqual([["name", undefined]]);
  expect(openOf(draft, { name: "Contest" })).toEqual([]);
});
