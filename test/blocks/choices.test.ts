import { describe, expect, test } from "bun:test";
import { play, type Scene } from "./one-block.ts";

const single: Scene = {
  block: {
    type: "choice input",
    outgoingEdgeId: "eD",
    items: [
      { id: "a1", content: "Yes", outgoingEdgeId: "eY" },
      { id: "a2", content: "No", value: "n" },
      { id: "a3", content: "Yes, please", outgoingEdgeId: "eYP" },
      { id: "a4", content: "Hi {{Name}}", outgoingEdgeId: "eN" },
      { id: "a5", content: "Val", value: "vv", outgoingEdgeId: "eV" },
    ],
  },
  variables: { Name: "Bob" },
};

describe("one choice", () => {
  test.each([
    ["H1", "Yes", "Yes", "eY"],
    ["H1", " Yes ", "Yes", "eY"],
    ["H1", "a1", "Yes", "eY"],
    ["the value", "n", "n", "eD"],
    ["the content of an item with a value", "No", "n", "eD"],
    ["the longer content", "Yes, please", "Yes, please", "eYP"],
    ["H4", "Hi Bob", "Hi Bob", "eN"],
    ["H5", "Val", "vv", "eV"],
  ])("%s: %j is stored as %j and leaves through %s", (_, reply, answer, edge) => {
    const lastMessageNewFormat = reply === answer ? null : answer;
    expect(play(single).say(reply)).toMatchObject({ answer, edge, lastMessageNewFormat, input: null });
  });

  test.each(["yes", "1", "other", "", "  ", "Hi {{Name}}", "Yes, no"])("H2, H4: %j is refused", (reply) => {
    expect(play(single).say(reply)).toMatchObject({ answer: null, edge: null, input: { type: "choice input" } });
  });

  test("H7: the first of two equal contents wins, whatever was clicked", () => {
    const items = [
      { id: "a", content: "A", outgoingEdgeId: "e1" },
      { id: "b", content: "A", outgoingEdgeId: "e2" },
    ];
    const said = play({ block: { type: "choice input", items } }).say({ type: "text", text: "A", replyId: "b" });
    expect(said).toMatchObject({ answer: "A", edge: "e1" });
  });

  test("the id that was clicked is enough", () => {
    const said = play(single).say({ type: "text", text: "👍", replyId: "a3" });
    expect(said).toMatchObject({ answer: "Yes, please", edge: "eYP" });
  });

  test("blanks are not an answer", () => {
    const items = [{ id: "a", content: " ", value: " " }];
    expect(play({ block: { type: "choice input", items } }).say("").answer).toBeNull();
  });

  test("an item that says nothing cannot be the answer", () => {
    expect(play({ block: { type: "choice input", items: [{ id: "a" }] } }).say("a").answer).toBeNull();
  });

  test("the way of a stored item that reads the same is taken, however its letters are composed", () => {
    const block = {
      type: "choice input",
      options: { dynamicVariableId: "v_List" },
      items: [{ id: "a", content: "Caf\u00e9 {{Name}}", outgoingEdgeId: "eC" }],
      outgoingEdgeId: "eD",
    };
    const scene = play({ block, variables: { List: ["Cafe\u0301 Bob", "Bar"], Name: "Bob" } });
    expect(scene.say("choice0")).toMatchObject({ edge: "eC" });
    expect(scene.say("Bar")).toMatchObject({ edge: "eD" });
  });
});

describe("choices from a variable", () => {
  const block = {
    type: "choice input",
    options: { dynamicVariableId: "v_List", buttonLabel: "{{Name}}" },
    outgoingEdgeId: "eD",
  };
  const items = [{ id: "a", content: "Hi {{Name}}", displayCondition: { isEnabled: true, condition: {} } }];

  test("H8: its distinct elements, without empty ones", () => {
    const scene = play({ block, variables: { List: ["x", "y", "x", "", null], Name: "Bob" } });
    expect(scene.asked.input).toEqual({
      id: "block",
      outgoingEdgeId: "eD",
      type: "choice input",
      options: { dynamicVariableId: "v_List", buttonLabel: "Bob" },
      items: [
        { id: "choice0", content: "x" },
        { id: "choice1", content: "y" },
      ],
    });
    expect(scene.say("choice1")).toMatchObject({ answer: "y", edge: "eD" });
    expect(scene.say("z").answer).toBeNull();
  });

  test("a text is one choice, a text that is a JSON list are several", () => {
    expect(play({ block, variables: { List: "one, two" } }).asked.input).toMatchObject({
      items: [{ content: "one, two" }],
    });
    expect(play({ block, variables: { List: '["one", 2]' } }).asked.input).toMatchObject({
      items: [{ content: "one" }, { content: "2" }],
    });
  });

  test("nothing is replaced in the words of a list", () => {
    const scene = play({ block, variables: { List: ["{{=1+1=}}", "{{Name}}"], Name: "Bob" } });
    expect(scene.asked.input).toMatchObject({ items: [{ content: "{{=1+1=}}" }, { content: "{{Name}}" }] });
  });

  test("H10: an empty variable leaves the stored items as they are, hidden ones too", () => {
    const scene = play({ block: { ...block, items }, variables: { List: null, Name: "Bob" } });
    expect(scene.asked.input).toMatchObject({
      options: { buttonLabel: "{{Name}}" },
      items: [{ id: "a", content: "Hi {{Name}}" }],
    });
    expect(scene.say("Hi {{Name}}").answer).toBe("Hi {{Name}}");
  });
});

describe("H11: items with conditions", () => {
  const isBob = (value: string) => ({ comparisons: [{ variableId: "v_Name", comparisonOperator: "Equal to", value }] });
  const displayConditions = [
    { isEnabled: true, condition: isBob("Bob") },
    { isEnabled: true, condition: isBob("Ana") },
    { isEnabled: false, condition: isBob("Ana") },
    { isEnabled: true },
    { isEnabled: true, condition: { comparisons: [] } },
  ];
  const texts = ["true", "false", "off", "none", "empty"];
  const items = displayConditions.map((displayCondition, index) => ({
    id: `i${index}`,
    content: texts[index],
    displayCondition,
  }));
  const variables = { Name: "Bob" };

  test("a condition that is on must hold; without one the item is shown", () => {
    const scene = play({ block: { type: "choice input", items }, variables });
    expect(scene.asked.input).toEqual({
      id: "block",
      type: "choice input",
      items: [
        { id: "i0", content: "true" },
        { id: "i2", content: "off" },
        { id: "i3", content: "none" },
      ],
    });
    expect(scene.say("false").answer).toBeNull();
    expect(scene.say("i4").answer).toBeNull();
  });

  test("pictures and cards are hidden likewise", () => {
    const pictures = items.map(({ content, ...item }) => ({ ...item, title: content }));
    const shown = [{ title: "true" }, { title: "off" }, { title: "none" }];
    expect(play({ block: { type: "picture choice input", items: pictures }, variables }).asked.input).toMatchObject({
      items: shown,
    });
    const cards = items.map(({ id, content, displayCondition }) => ({
      id,
      title: content,
      options: { displayCondition },
    }));
    expect(play({ block: { type: "cards", items: cards }, variables }).asked.input).toMatchObject({ items: shown });
  });
});

describe("several choices", () => {
  const items = [
    { id: "m1", content: "Apple" },
    { id: "m2", content: "Red apple", value: "ra" },
    { id: "m3", content: "Banana", outgoingEdgeId: "eB" },
    { id: "m4", content: "C++ (new)" },
  ];
  const several = (...contents: string[]): Scene => ({
    block: {
      type: "choice input",
      options: { isMultipleChoice: true },
      items: contents.map((content, index) => ({ id: `id${index}`, content })),
    },
  });
  const fruit: Scene = {
    block: { type: "choice input", options: { isMultipleChoice: true }, items, outgoingEdgeId: "eD" },
  };

  test.each([
    ["H13", "Red apple", "ra"],
    ["H13", "red apple", "Apple, ra"],
    ["H14", "1, 3", "Apple, Banana"],
    ["H14", "1 and 2", "Apple, ra"],
    ["the value", "RA, banana", "ra, Banana"],
    ["ids", "m3 m1", "Apple, Banana"],
    ["signs", "I like C++ (NEW)!", "C++ (new)"],
    ["blanks between words", "red\t\n apple", "Apple, ra"],
    ["in the order of display", "Banana, Apple", "Apple, Banana"],
  ])("%s: %j is %j, through the block's own way", (_, reply, answer) => {
    expect(play(fruit).say(reply)).toMatchObject({ answer, edge: "eD" });
  });

  test.each([
    "13",
    "5",
    "",
    "pineapple",
    "Applé",
    "Apple\u0301",
    "apples",
    "C++ (newer)",
    "C (new)",
    "C++ (new)s",
    "0",
  ])("H14: %j is refused", (reply) => {
    expect(play(fruit).say(reply)).toMatchObject({ answer: null, edge: null });
  });

  test("H16: contents come before numbers", () => {
    expect(play(several("6", "5", "4", "3", "2", "1")).say("4, 2, 1").answer).toBe("4, 2, 1");
  });

  test("a sign in front is part of the choice, a letter before it is not", () => {
    expect(play(several(".NET")).say("I use .net").answer).toBe(".NET");
    expect(play(several(".NET")).say("asp.net").answer).toBeNull();
  });

  test("a number counts whole", () => {
    expect(play(several(..."abcdefghijkl")).say("12").answer).toBe("l");
  });

  test("what was recognised is taken out in its first exact spelling, wherever that stands", () => {
    expect(play(several("Apple", "Pine")).say("PineApple Apple").answer).toBe("Apple, Pine");
  });

  test("an accent is part of its letter and case is not", () => {
    expect(play(several("É", "ΣΟΦΟΣ", "straße")).say("é, σοφος, Straße").answer).toBe("É, ΣΟΦΟΣ, straße");
  });

  test("an internal value that is empty is stored empty, and never looked for", () => {
    const block = {
      type: "choice input",
      options: { isMultipleChoice: true },
      items: [{ id: "a", content: "One", value: "" }],
    };
    expect(play({ block }).say("One")).toMatchObject({ answer: "" });
    expect(play({ block }).say("Two")).toMatchObject({ answer: null });
  });

  test("the client is told to show what may be chosen before a search", () => {
    const block = { type: "choice input", options: { isMultipleChoice: true, isSearchable: true }, items };
    expect(play({ block }).asked.input).toMatchObject({ options: { areInitialSearchButtonsVisible: true } });
  });

  test("thousands of items and a long reply take no longer than a moment", () => {
    const contents = Array.from({ length: 10_000 }, (_, index) => `item number ${index}`);
    const scene = play(several(...contents));
    const before = performance.now();
    expect(scene.say("item number ".repeat(5_000)).answer).toBeNull();
    expect(scene.say(`${contents.slice(0, 500).join(", ")}, ${"a ".repeat(10_000)}`).answer).toBe(
      contents.slice(0, 500).join(", "),
    );
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
