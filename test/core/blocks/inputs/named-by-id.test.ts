import { expect, test } from "bun:test";
import { wordsOfIds } from "../../../../src/core/blocks/inputs/matching/choices.ts";
import { chatWith } from "../logic-flow.ts";

const items = [
  { id: "k0", content: "US" },
  { id: "k1", content: "us", value: "lower" },
];

test("a reply is read as an item's text if its text and id are both the item's id", () => {
  expect(wordsOfIds(items, false, { text: "k1", replyId: "k1" })).toBe("lower");
  expect(wordsOfIds(items, false, { text: "k0", replyId: "k0" })).toBe("US");
  expect(wordsOfIds(items, false, { text: "k0" })).toBeUndefined();
  expect(wordsOfIds(items, false, { text: "US", replyId: "k0" })).toBeUndefined();
  expect(wordsOfIds(items, false, { text: "k9", replyId: "k9" })).toBeUndefined();
});

test("a list of ids is read as the items' texts if each id belongs to an item", () => {
  expect(wordsOfIds(items, true, { text: "k0, k1" })).toBe("US, lower");
  expect(wordsOfIds(items, true, { text: "k0, us" })).toBeUndefined();
  expect(wordsOfIds(items, true, { text: "US" })).toBeUndefined();
});

/** Returns the reply's text in a reply event, and the stored text. */
function heard(block: object, text: string): readonly unknown[] {
  const flow = {
    groups: {
      g1: [{ id: "c", type: "choice input", options: { variableId: "vStored" }, items, ...block }],
      g2: [{ id: "r", type: "Return" }],
    },
    edges: { event: "g2" },
    variables: { Heard: null, Stored: null },
    variableIds: { Heard: "vHeard", Stored: "vStored" },
    events: [{ id: "e", type: "reply", outgoingEdgeId: "event", options: { contentVariableId: "vHeard" } }],
  };
  const chat = chatWith(flow);
  const turn = chat.say(text);
  return [turn.valueOf("Heard"), turn.valueOf("Stored")];
}

test("a reply event gets the chosen items' texts if several items can be chosen", () => {
  const several = { options: { variableId: "vStored", isMultipleChoice: true } };
  const pictures = {
    type: "picture choice input",
    options: { variableId: "vStored", isMultipleChoice: true },
    items: [
      { id: "p0", title: "Cat" },
      { id: "p1", title: "cat" },
    ],
  };

  expect(heard(several, "k0, k1")).toEqual(["US, lower", "US, lower"]);
  expect(heard({}, "US")).toEqual(["US", "US"]);
  expect(heard({}, "k1")).toEqual(["k1", "lower"]);
  expect(heard(pictures, "p0, p1")).toEqual(["Cat, cat", "Cat, cat"]);
});
