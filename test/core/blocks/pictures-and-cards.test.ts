import { describe, expect, test } from "bun:test";
import { play } from "./one-block.ts";

describe("pictures", () => {
  const src = "https://example.com/cat.png";
  const items = [
    { id: "p1", pictureSrc: src, title: "", outgoingEdgeId: "e1" },
    {
      id: "p2",
      pictureSrc: "https://example.com/dog.png",
      title: "Dog {{Name}}",
      description: "Of {{Name}}",
      value: "d",
      outgoingEdgeId: "e2",
    },
  ];
  const block = { type: "picture choice input", items, outgoingEdgeId: "eD" };

  test("several chosen pictures are stored in the order of display", () => {
    const scene = play({ block: { ...block, options: { isMultipleChoice: true } }, variables: { Name: "Rex" } });
    expect(scene.say(`dog rex, ${src}`)).toMatchObject({ answer: `${src}, d`, edge: "eD" });
  });

  test("the client gets items with resolved texts, and without the items' edges", () => {
    const scene = play({ block, variables: { Name: "Rex" } });
    expect(scene.asked.input).toEqual({
      id: "block",
      type: "picture choice input",
      outgoingEdgeId: "eD",
      items: [
        { id: "p1", pictureSrc: src, title: "" },
        { id: "p2", pictureSrc: "https://example.com/dog.png", title: "Dog Rex", description: "Of Rex", value: "d" },
      ],
    });
  });

  const dynamicItems = { isEnabled: true, pictureSrcsVariableId: "v_Srcs", titlesVariableId: "v_Titles" };

  test("hidden items are shown if the variable of picture addresses is empty", () => {
    const hidden = items.map((item) => ({ ...item, displayCondition: { isEnabled: true, condition: {} } }));
    const scene = play({
      block: { ...block, options: { dynamicItems }, items: hidden },
      variables: { Srcs: null, Name: "Rex" },
    });
    expect(scene.asked.input).toMatchObject({ items: [{ id: "p1" }, { id: "p2", title: "Dog Rex" }] });
  });

  test("picture addresses in a variable become choices", () => {
    const scene = play({
      block: { ...block, options: { dynamicItems } },
      variables: { Srcs: [null, "a.png"], Titles: ["One", "Two"] },
    });
    expect(scene.asked.input).toMatchObject({
      items: [{ id: "0", pictureSrc: "a.png", title: "One", description: "" }],
    });
    expect(scene.say("0")).toMatchObject({ answer: "One", edge: "eD" });
  });
});

describe("cards", () => {
  const paths = [
    { id: "buy", text: "Buy {{Name}}", outgoingEdgeId: "eP" },
    { id: "more", text: "More" },
  ];
  const items = [
    { id: "c1", title: "Card A", description: null, paths },
    { id: "c2", title: "", imageUrl: "https://example.com/b.png", paths: [{ id: "b", text: "B" }] },
  ];
  const block = { type: "cards", items, outgoingEdgeId: "eD" };

  test("the client gets neither the edges nor the internal values of cards", () => {
    const stored = [{ id: "c", title: "T {{Name}}", options: { internalValue: "secret" }, paths }];
    const scene = play({ block: { type: "cards", items: stored }, variables: { Name: "Bob" } });
    expect(scene.asked.input).toEqual({
      id: "block",
      type: "cards",
      items: [
        {
          id: "c",
          title: "T Bob",
          paths: [
            { id: "buy", text: "Buy Bob" },
            { id: "more", text: "More" },
          ],
        },
      ],
    });
  });

  test("fields of the chosen card are saved in variables", () => {
    const fields = ["Image URL", "Title", "Description", "Button", "Internal Value"];
    const saveResponseMapping = fields.map((field) => ({ field, variableId: `v_${field}` }));
    const before = Object.fromEntries(fields.map((field) => [field, "before"]));
    const scene = play({
      block: { ...block, options: { saveResponseMapping } },
      variables: { ...before, Name: "Bob" },
    });
    expect(scene.say("buy").variables).toEqual({ ...before, Title: "Card A", Button: "Buy Bob", Name: "Bob" });
  });

  test("an empty internal value is not saved", () => {
    const options = { saveResponseMapping: [{ field: "Internal Value", variableId: "v_Sku" }] };
    const item = { id: "c", title: "T", options: { internalValue: "{{Nothing}}" }, paths };
    const scene = play({ block: { type: "cards", items: [item], options }, variables: { Sku: "before" } });
    expect(scene.say("T")).toMatchObject({ answer: "T", variables: { Sku: "before" } });
  });

  describe("cards from lists", () => {
    const item = {
      id: "c",
      title: "{{Titles}}",
      imageUrl: "{{Image}}",
      description: "fixed",
      options: { internalValue: "{{Skus}}" },
      paths,
    };
    const variables = {
      Titles: ["One", null],
      Image: "https://example.com/all.png",
      Skus: ["s1", "s2", "s3"],
      Sku: null,
    };
    const options = { saveResponseMapping: [{ field: "Internal Value", variableId: "v_Sku" }] };

    test("the first list sets the number of cards", () => {
      const scene = play({ block: { type: "cards", items: [item], options }, variables });
      expect(scene.asked.input).toMatchObject({
        items: [
          {
            id: "c",
            title: "One",
            imageUrl: "https://example.com/all.png",
            paths: [{ id: "dynamic-card-0-path-0" }, { id: "dynamic-card-0-path-1" }],
          },
          {
            id: "c",
            imageUrl: "https://example.com/all.png",
            paths: [{ id: "dynamic-card-1-path-0" }, { id: "dynamic-card-1-path-1" }],
          },
        ],
      });
      expect(JSON.stringify(scene.asked.input)).not.toContain("fixed");
      expect(scene.say("dynamic-card-1-path-0")).toMatchObject({
        answer: "https://example.com/all.png",
        edge: "eP",
        variables: { Sku: "s2" },
      });
      expect(scene.say("one")).toMatchObject({ answer: "One", variables: { Sku: "s1" } });
    });

    test("lists are not expanded into cards if the block has two cards", () => {
      const two = play({ block: { type: "cards", items: [item, { id: "d", title: "D" }] }, variables });
      expect(two.asked.input).toMatchObject({
        items: [{ title: '["One",null]', description: "fixed" }, { title: "D" }],
      });
      const alone = play({ block: { type: "cards", items: [{ ...item, title: "T" }] }, variables });
      expect(alone.asked.input).toMatchObject({ items: [{ title: "T", description: "fixed" }] });
    });
  });
});
