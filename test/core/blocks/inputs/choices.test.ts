import { describe, expect, test } from "bun:test";
import { play, type Scene } from "../one-block.ts";

describe("one choice", () => {
  test.each([
    [{ type: "choice input" }, { content: "A" }],
    [{ type: "picture choice input" }, { title: "A" }],
    [{ type: "cards" }, { title: "A", paths: [{ id: "p", text: "On", note: "aside", outgoingEdgeId: "e" }] }],
  ])("an item of %p is sent without its condition, its edges and unknown properties", (block, shown) => {
    const kept = { note: "for colleagues", apiKey: "k", displayCondition: { isEnabled: false }, outgoingEdgeId: "e" };
    const { input } = play({ block: { ...block, items: [{ id: "a", ...shown, ...kept }] } }).asked;
    const paths = "paths" in shown ? { paths: [{ id: "p", text: "On" }] } : {};
    expect(input).toHaveProperty("items", [{ id: "a", ...shown, ...paths }]);
  });

  test("an empty reply does not select an item whose text is white space", () => {
    const items = [{ id: "a", content: " ", value: " " }];
    expect(play({ block: { type: "choice input", items } }).say("").answer).toBeNull();
  });

  test("an id that several items share selects the first item", () => {
    const items = [
      { id: "a", content: "A" },
      { id: "a", content: "Longer" },
    ];
    const scene = play({ block: { type: "choice input", items } });
    expect(scene.say("a").answer).toBe("A");
    expect(scene.say({ type: "text", text: "?", replyId: "a" }).answer).toBe("A");
    expect(scene.say("Longer").answer).toBe("Longer");
    const several = play({
      block: {
        type: "choice input",
        options: { isMultipleChoice: true },
        items: [
          { id: "x7", content: "A" },
          { id: "x7", content: "Longer" },
        ],
      },
    });
    expect(several.say("x7").answer).toBe("A");
  });

  test("an item without text cannot be selected by its id", () => {
    expect(play({ block: { type: "choice input", items: [{ id: "a" }] } }).say("a").answer).toBeNull();
  });

  test("a choice from a variable uses the edge of the item with equal text", () => {
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

  test("H8: the choices are the distinct elements of the variable", () => {
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
  });

  test("a text is one choice, and a text with a JSON list is several choices", () => {
    expect(play({ block, variables: { List: "one, two" } }).asked.input).toMatchObject({
      items: [{ content: "one, two" }],
    });
    expect(play({ block, variables: { List: '["one", 2, 12345678901234567]' } }).asked.input).toMatchObject({
      items: [{ content: "one" }, { content: "2" }, { content: "12345678901234567" }],
    });
  });

  test("variables in the texts of a list are not replaced", () => {
    const scene = play({ block, variables: { List: ["{{=1+1=}}", "{{Name}}"], Name: "Bob" } });
    expect(scene.asked.input).toMatchObject({ items: [{ content: "{{=1+1=}}" }, { content: "{{Name}}" }] });
  });

  test("H10: an empty variable leaves the stored items unchanged", () => {
    const scene = play({ block: { ...block, items }, variables: { List: null, Name: "Bob" } });
    expect(scene.asked.input).toMatchObject({
      options: { buttonLabel: "{{Name}}" },
      items: [{ id: "a", content: "Hi {{Name}}" }],
    });
    expect(scene.say("Hi {{Name}}").answer).toBe("Hi {{Name}}");
  });
});

describe("several choices", () => {
  const several = (...contents: string[]): Scene => ({
    block: {
      type: "choice input",
      options: { isMultipleChoice: true },
      items: contents.map((content, index) => ({ id: `id${index}`, content })),
    },
  });
  test("a choice that begins with a full stop is recognised between words", () => {
    expect(play(several(".NET")).say("I use .net").answer).toBe(".NET");
    expect(play(several(".NET")).say("asp.net").answer).toBeNull();
  });

  test("the number of a choice matches only as a whole", () => {
    expect(play(several(..."abcdefghijkl")).say("12").answer).toBe("l");
  });

  test("a recognised choice is removed from the reply at its first exact occurrence", () => {
    expect(play(several("Apple", "Pine")).say("PineApple Apple").answer).toBe("Apple, Pine");
  });

  test("choices with accents, Greek letters and ß are recognised", () => {
    expect(play(several("É", "ΣΟΦΟΣ", "straße")).say("é, σοφος, Straße").answer).toBe("É, ΣΟΦΟΣ, straße");
  });

  test("an empty internal value is stored as an empty answer", () => {
    const block = {
      type: "choice input",
      options: { isMultipleChoice: true },
      items: [{ id: "a", content: "One", value: "" }],
    };
    expect(play({ block }).say("One")).toMatchObject({ answer: "" });
    expect(play({ block }).say("Two")).toMatchObject({ answer: null });
  });

  test("the client gets an instruction to show the choices before a search", () => {
    const block = { type: "choice input", options: { isMultipleChoice: true, isSearchable: true } };
    expect(play({ block }).asked.input).toMatchObject({ options: { areInitialSearchButtonsVisible: true } });
  });

  test("a reply with 500 choices is matched against 10,000 items", () => {
    const contents = Array.from({ length: 10_000 }, (_, index) => `item number ${index}`);
    const scene = play(several(...contents));
    expect(scene.say("item number ".repeat(5_000)).answer).toBeNull();
    expect(scene.say(`${contents.slice(0, 500).join(", ")}, ${"a ".repeat(10_000)}`).answer).toBe(
      contents.slice(0, 500).join(", "),
    );
  });
});
