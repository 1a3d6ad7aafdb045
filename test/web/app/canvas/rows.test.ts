import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/core/interpreter/flow.ts";
import { listBlockTypes } from "../../../../src/management/block-types/block-types.ts";
import { layoutOfGroup, sizes } from "../../../../src/web/app/canvas/scene/geometry.ts";
import { createRowTexts } from "../../../../src/web/app/canvas/scene/row-texts.ts";
import type { BlockType } from "../../../../src/web/app/forms/index.ts";
import { idOf } from "../../../support/builder-ids.ts";

const words = {
  otherwise: "Otherwise",
  ways: {
    failure: "On failure",
    after: ({ time }: { time: string | number }) => `After ${time}`,
    noTime: "After no time",
  },
  untitled: "Untitled",
  unknownType: "Not known",
  events: {},
  item: (position: number) => `Item ${position}`,
};
const names: Readonly<Record<string, string>> = {
  [idOf("v1")]: "Score",
  [idOf("v2")]: "Town",
  g1: "Offer",
  b1: "Payments",
};
const named = (id: string) => names[id];
const types: unknown = JSON.parse(JSON.stringify(listBlockTypes()));
const rowTexts = createRowTexts({
  types: new Map(isCatalogue(types) ? types.map((one) => [one.type, one]) : []),
  ...{ words, missing: "gone", variable: named, group: named, bot: (id) => named(id) ?? "" },
});
function isCatalogue(value: unknown): value is readonly BlockType[] {
  return Array.isArray(value);
}
const rowsOf = (block: JsonObject) => layoutOfGroup("g", [{ id: "b", ...block }], rowTexts).rows;
const lineOf = (type: string, rest: JsonObject) => {
  const [row] = rowsOf({ type, ...rest });
  return row?.variable === undefined ? row?.text : `${row.text} → ${row.variable}`;
};
const picture = "https://example.com/cat.png";

describe("a row of a card", () => {
  test("a row shows the content of its block, with names instead of ids", () => {
    const richText = [
      { type: "p", children: [{ text: "Read " }, { type: "a", url: "x", children: [{ text: "this" }] }] },
      {
        type: "ul",
        children: [
          { type: "li", children: [{ text: "One" }] },
          { type: "li", children: [{ text: "Two" }] },
        ],
      },
    ];
    const said = {
      text: lineOf("text", { content: { richText } }),
      video: lineOf("video", { content: { url: "https://www.youtube.com/watch?v=1" } }),
      audio: lineOf("audio", { content: { url: "https://example.com/a/b/{{File}}.mp3" } }),
      input: lineOf("text input", { options: { labels: { placeholder: "Your {{Town}}" }, variableId: idOf("v2") } }),
      choices: lineOf("choice input", {
        options: { dynamicVariableId: idOf("v1"), variableId: idOf("v2") },
        items: [{ id: "i" }],
      }),
      sum: lineOf("Set variable", { options: { variableId: idOf("v1"), expressionToEvaluate: "{{Score}} + 1" } }),
      // A text that was stored before the preset was chosen is not part of its effect.
      today: lineOf("Set variable", { options: { variableId: idOf("v1"), type: "Today", expressionToEvaluate: "1" } }),
      popped: lineOf("Set variable", {
        options: { variableId: idOf("v1"), type: "Pop", saveItemInVariableId: idOf("v2") },
      }),
      emptied: lineOf("Set variable", { options: { variableId: idOf("v1") } }),
      named: lineOf("Code", { options: { name: "Count", content: "count()" } }),
      code: lineOf("Code", { options: { name: "Script", content: "\n// Counts\ncount()" } }),
      jump: lineOf("Jump", { options: { groupId: "g1" } }),
      lost: lineOf("Jump", { options: { groupId: "g9" } }),
      link: lineOf("Typebot link", { options: { typebotId: "b1", groupId: "theirs" } }),
      request: lineOf("Webhook", { options: { webhook: { url: "https://api.example.com/v1/people/{{Id}}?x=1" } } }),
      split: lineOf("AB test", { options: { aPercent: 30 }, items: [{ id: "a", path: "a" }] }),
      nothing: lineOf("Code", {}),
    };

    expect(said).toEqual({
      text: "Read this One Two",
      video: "youtube.com/watch",
      audio: "example.com/…/{{File}}.mp3",
      input: "Your {{Town}} → Town",
      choices: "Each of Score → Town",
      sum: "Score = {{Score}} + 1",
      today: "Score: Today",
      popped: "Score: Pop → Town",
      emptied: "Score = nothing",
      named: "Count",
      code: "// Counts",
      jump: "Offer",
      lost: "gone",
      link: "Payments",
      request: "POST api.example.com/…/{{Id}}",
      split: "A 30 %",
      nothing: "Code",
    });
  });

  test("each condition and each picture has a separate row", () => {
    const comparison = (comparisonOperator: string, value?: string) => ({
      variableId: idOf("v1"),
      comparisonOperator,
      value,
    });
    const items = [
      { id: "1", content: { comparisons: [comparison("Greater than", "3")] } },
      {
        id: "2",
        content: { logicalOperator: "OR", comparisons: [comparison("Is set"), comparison("Not equal", "x")] },
      },
      { id: "3", content: { comparisons: [] } },
    ];
    const condition = rowsOf({ type: "Condition", items });
    const pictures = rowsOf({
      type: "picture choice input",
      items: [
        { id: "1", pictureSrc: picture, title: "Cat" },
        { id: "2", pictureSrc: "{{Picture}}" },
      ],
    });

    expect(condition.map(({ kind, text, isNameOnly }) => [kind, text, isNameOnly ?? false])).toEqual([
      ["block", "Condition", true],
      ["item", "Score > 3", false],
      ["item", "Score is set or Score ≠ x", false],
      ["item", "Item 3", true],
      ["otherwise", "Otherwise", false],
    ]);
    expect(pictures.map(({ kind, text, picture: shown, height }) => [kind, text, shown, height])).toEqual([
      ["block", "Picture choice", undefined, sizes.row[0]],
      ["item", "Cat", picture, sizes.item[1]],
      ["item", "Item 2", undefined, sizes.item[0]],
      ["otherwise", "Otherwise", undefined, sizes.small],
    ]);
  });

  test("the row of a failure or a time-out shows its condition", () => {
    const linesOf = (options: JsonObject) =>
      rowsOf({ type: "text input", options }).flatMap(({ kind, text, icon }) => (kind === "way" ? [[text, icon]] : []));

    expect(linesOf({ failure: {}, timeout: { after: 600 } })).toEqual([
      ["On failure", "triangle-alert"],
      ["After 10 minutes", "clock"],
    ]);
    const timesOf = (...times: readonly unknown[]) => times.map((after) => linesOf({ timeout: { after } })[0]?.[0]);
    expect(timesOf(1, "90", 86_400 + 6 * 3_600 + 59, "{{Patience}}", 0, "soon", undefined)).toEqual([
      "After 1 second",
      "After 1 minute 30 seconds",
      "After 1 day 6 hours",
      "After {{Patience}}",
      ...["After no time", "After no time", "After no time"],
    ]);
    // A number under the key `timeout` is the time limit of a call in seconds, and has no edge.
    expect(linesOf({ timeout: 30 })).toEqual([]);
  });

  test("a row is taller with a picture, and has a second line for a variable", () => {
    const image = (content: JsonObject) => rowsOf({ type: "image", content })[0];
    const placeholder = "What is it that you ask for?";
    const input = (options: JsonObject) =>
      rowsOf({ type: "text input", options: { labels: { placeholder }, ...options } })[0];

    expect([image({ url: picture, alt: "A cat" })?.height, image({ url: "{{Picture}}" })?.height]).toEqual([48, 32]);
    expect(image({ url: "javascript:alert(1)" })?.picture).toBeUndefined();
    expect([input({})?.lines, input({ variableId: idOf("v2") })?.lines]).toEqual([1, 2]);
  });
});
