import { describe, expect, test } from "bun:test";
import { getFlowSchemas, listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import { contrastOf, hexOf, readColor } from "../../../src/web/app/forms/fields/contrast.ts";
import { openNameAt, withBraces, withName } from "../../../src/web/app/forms/fields/open-name.ts";
import { rowText } from "../../../src/web/app/forms/row.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import { isOfType, isSame, isShown, schemaAt, valueAt, withMoved } from "../../../src/web/app/forms/values.ts";
import { idOf } from "../../support/builder-ids.ts";

const types = new Map(listBlockTypes().map((one) => [one.type, one]));
const names = {
  variable: (id: string) => ({ [idOf("Name")]: "Name", [idOf("Age")]: "Age" })[id],
  group: (id: string) => (id === "g1" ? "Welcome" : undefined),
  bot: (id: string) => (id === "bot2" ? "Another" : undefined),
};

function row(type: string, value: object): string {
  const known = types.get(type);
  return known ? rowText(known.editor.row, { schema: known.schema, value, names }) : "?";
}

describe("the line of a block", () => {
  test("the line of a block shows its text or its default text", () => {
    const richText = [{ type: "p", children: [{ text: "Hi " }, { type: "a", url: "x", children: [{ text: "you" }] }] }];
    expect(row("text", { content: { richText } })).toBe("Hi you");
    expect(row("text", { content: { plainText: "Old" } })).toBe("Old");
    expect(row("text", {})).toBe("");
    expect(row("text input", {})).toBe("Type your answer...");
    expect(row("text input", { options: { labels: { placeholder: "Who?" } } })).toBe("Who?");
    expect(row("Set variable", { options: { variableId: idOf("Age"), expressionToEvaluate: "1 + 1" } })).toBe(
      "Age = 1 + 1",
    );
    expect(row("Set variable", { options: { variableId: idOf("Age"), type: "Today" } })).toBe("Age: Today");
    expect(row("Jump", { options: { groupId: "g1" } })).toBe("Welcome");
    expect(row("Jump", { options: { groupId: "gone" } })).toBe("gone");
    expect(row("Typebot link", { options: { typebotId: "bot2" } })).toBe("Another");
    expect(
      row("choice input", { items: [{ id: "a", content: "One" }, { id: "b" }, { id: "c", content: "Two" }] }),
    ).toBe("One, Two");
    expect(row("Webhook", { options: { webhook: { url: "https://a.example" } } })).toBe("POST a.example");
  });

  test("the line of a block shows conditions as text", () => {
    const comparisons = [
      { id: "a", variableId: idOf("Age"), comparisonOperator: "Greater than", value: "17" },
      { id: "b", variableId: idOf("Name"), comparisonOperator: "Is set" },
    ];
    expect(row("Condition", { items: [{ id: "i", content: { logicalOperator: "OR", comparisons } }] })).toBe(
      "Age > 17 or Name is set",
    );
  });

  test("the line of a block is a text even if values have unexpected types", () => {
    for (const { type, schema, editor } of types.values()) {
      for (const odd of [
        undefined,
        null,
        5,
        "x",
        [],
        { options: [1], content: 7, items: {} },
        { items: [null, [], 4] },
      ])
        expect(typeof rowText(editor.row, { schema, value: odd, names }), type).toBe("string");
    }
  });
});

describe("a form field", () => {
  const schema = types.get("Set variable")?.schema ?? {};
  const isVisible = (path: readonly string[], value: unknown): boolean => {
    const field: FieldSchema = schemaAt(schema, path) ?? {};
    const around = path.map((_, depth) => ({
      schema: schemaAt(schema, path.slice(0, depth)) ?? {},
      value: valueAt(value, path.slice(0, depth)),
    }));
    return isShown(field, around);
  };

  test("a form field is shown if other fields have the required values", () => {
    expect(isVisible(["options", "expressionToEvaluate"], {})).toBe(true);
    expect(isVisible(["options", "expressionToEvaluate"], { options: { type: "Now" } })).toBe(false);
    expect(isVisible(["options", "timeZone"], { options: { type: "Now" } })).toBe(true);
    expect(isVisible(["options", "timeZone"], { options: { type: null } })).toBe(false);
    expect(isVisible(["options", "saveErrorInVariableId"], { options: { isCode: true } })).toBe(true);
    expect(isVisible(["options", "saveErrorInVariableId"], { options: {} })).toBe(false);
  });

  test("a form field is hidden until the choice that it depends on is made", () => {
    const sheets = types.get("Google Sheets")?.schema ?? {};
    const field = schemaAt(sheets, ["options", "filter"]) ?? {};
    const around = (options: unknown) => [{ schema: schemaAt(sheets, ["options"]) ?? {}, value: options }];
    expect(isShown(field, around({}))).toBe(false);
    expect(isShown(field, around({ action: "Update a row" }))).toBe(true);
  });

  test("the condition of a form field is also looked up in outer objects", () => {
    const date = types.get("date input")?.schema ?? {};
    const field = schemaAt(date, ["options", "labels", "from"]) ?? {};
    const around = (options: unknown) => [
      { schema: schemaAt(date, ["options"]) ?? {}, value: options },
      { schema: schemaAt(date, ["options", "labels"]) ?? {}, value: {} },
    ];
    expect(isShown(field, around({ isRange: true }))).toBe(true);
    expect(isShown(field, around({}))).toBe(false);
  });

  test("a form field accepts values of its types, and rejects values of other types", () => {
    const { theme } = getFlowSchemas();
    const font = schemaAt(theme, ["general", "font"]) ?? {};
    expect([undefined, null, "Inter", { family: "Inter" }, 5, []].map((value) => isOfType(font, value))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    const roundness = schemaAt(theme, ["chat", "roundness"]) ?? {};
    expect(["large", "unheard of", 3].map((value) => isOfType(roundness, value))).toEqual([true, true, false]);
  });
});

test("the name of a variable can be completed after its opening braces", () => {
  expect(openNameAt("Hi {{na", 7)).toEqual({ start: 5, typed: "na" });
  expect(openNameAt("Hi {{", 5)).toEqual({ start: 5, typed: "" });
  expect([openNameAt("Hi {{a}} b", 10), openNameAt("Hi {", 4), openNameAt("{{=1", 4), openNameAt("", 0)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(withName("Hi {{na you", { start: 5, typed: "na" }, "Name")).toEqual({ text: "Hi {{Name}} you", caret: 11 });
  expect(withName("Hi {{na}} you", { start: 5, typed: "na" }, "Name")).toEqual({ text: "Hi {{Name}} you", caret: 11 });
  expect(withBraces("Hi you", 3, 6)).toEqual({ text: "Hi {{", caret: 5 });
});

test("contrast is computed from hexadecimal and rgb() colours", () => {
  const white = readColor("#FFF") ?? [0, 0, 0];
  const black = readColor("rgb(0, 0, 0)") ?? [1, 1, 1];
  expect(contrastOf(white, black)).toBeCloseTo(21, 5);
  expect(contrastOf(readColor("#767676") ?? black, white)).toBeCloseTo(4.54, 2);
  expect(hexOf(readColor("rgb(255 0 16)") ?? black)).toBe("#ff0010");
  expect([readColor("{{Colour}}"), readColor("#12345678"), readColor("rgb(300,0,0)"), readColor("red")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("entries can be moved within their list, and values are compared deeply", () => {
  expect(withMoved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(withMoved(["a", "b"], 0, 2)).toEqual(["a", "b"]);
  expect(isSame({ a: [1, { b: null }], c: 2 }, { c: 2, a: [1, { b: null }] })).toBe(true);
  expect(isSame({ a: undefined }, {})).toBe(false);
  expect(isSame([1], { 0: 1 })).toBe(false);
});
