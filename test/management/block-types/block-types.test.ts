import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { fieldTitle } from "../../../src/core/flow/field-titles.ts";
import { getFlowSchemas, listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import { widgetOf } from "../../../src/web/app/forms/widget-of.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { valueAt } from "../../support/client.ts";

let api: TestApi;
let reader: TestUser;
beforeAll(async () => {
  api = await createTestApi();
  reader = await api.makeUser({ scope: "read" });
});
afterAll(() => api.close());

describe("the catalogue of block types", () => {
  test("the catalogue of block types has a name and an icon for every type", () => {
    const types = listBlockTypes();
    expect(types.map(({ type }) => type)).toEqual([...blocks.keys(), "start", "command", "reply", "invalidReply"]);
    for (const { type, summary, editor } of types) {
      expect(editor.name, type).toMatch(/^\S/);
      expect(editor.icon, type).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(editor.words.length, type).toBeGreaterThan(0);
      expect(editor.row.length, type).toBeGreaterThan(0);
      expect(summary, type).toMatch(/\.$/);
    }
    const names = types.map(({ family, editor }) => `${family} ${editor.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test("the catalogue of block types refers only to existing fields", () => {
    const types = new Map(listBlockTypes().map((one) => [one.type, one]));
    for (const { type, schema, editor } of types.values()) {
      for (const path of editor.row.flatMap((text) =>
        [...text.matchAll(/\{([^}:]+)(?::(?:address|line|other))?\}/g)].map(([, path = ""]) => path),
      )) {
        expect(fieldAt(schema, path.split(".")), `${type}: ${path}`).toBeDefined();
      }
      for (const related of editor.related) {
        expect(types.get(related)?.editor.name, `${type} is related to ${related}`).toBeDefined();
        expect(related).not.toBe(type);
      }
    }
  });

  test("the catalogue has a title and a widget for every field", () => {
    const schemas = [
      ...listBlockTypes().map(({ type, schema }) => [type, schema] as const),
      ...Object.entries(getFlowSchemas()),
    ];
    const wrong = schemas.flatMap(([name, schema]) => fieldsOf(schema, name).flatMap(faultsOf));
    expect(wrong).toEqual([]);
  });

  test("conditions in the catalogue name existing fields and values", () => {
    const wrong = listBlockTypes().flatMap(({ type, schema }) =>
      fieldsOf(schema, type).flatMap(({ path, field, around }) =>
        Object.entries(field.shownWhen ?? {}).flatMap(([name, values]) => {
          const other = around.findLast(({ properties }) => properties?.[name])?.properties?.[name];
          // The type of an event is not in the list of blocks.
          if (!other) return name === "type" && path.startsWith(`${type}.options.`) && !blocks.has(type) ? [] : [path];
          const words = wordsOf(other);
          return values.every((value) => words === undefined || words.has(value)) ? [] : [`${path}: ${values}`];
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("the catalogue derives default titles of fields from their keys", () => {
    expect(["isLong", "retryMessageContent", "customCss", "variableId", "isEnabled", "url"].map(fieldTitle)).toEqual([
      "Long",
      "Retry message content",
      "Custom CSS",
      "Variable",
      "Enabled",
      "Address",
    ]);
  });
});

describe("GET /block-types and /flow-schemas", () => {
  test("GET /block-types returns the catalogue for a read token", async () => {
    const known = await api.client.get("/api/v1/block-types", { token: reader.token });
    expect(known.status).toBe(200);
    expect(known.list("blockTypes").length).toBe(blocks.size + 4);
    expect(known.list("blockTypes").find((one) => valueAt(one, "type") === "audio")).toMatchObject({
      family: "bubble",
      summary: "Plays a sound.",
      schema: { properties: { content: { properties: { url: { title: "Sound", widget: "media", holds: "audio" } } } } },
      editor: { name: "Audio", icon: "audio-lines", row: ["{content.url:address}"] },
    });
    const again = await api.handle(
      new Request("http://localhost/api/v1/block-types", {
        headers: {
          Authorization: `Bearer ${reader.token}`,
          "If-None-Match": known.headers.get("etag") ?? "",
        },
      }),
    );
    expect(again.status).toBe(304);
  });

  test("GET /flow-schemas uses the service's names for settings", async () => {
    const schemas = await api.client.get("/api/v1/flow-schemas", { token: reader.token });
    expect(schemas.status).toBe(200);
    expect(Object.keys(schemas.at("settings.properties") ?? {})).toContain("messenger");
    expect(JSON.stringify(schemas.body)).not.toMatch(/"(whatsApp|googleTagManagerId)":/);
  });
});

type Found = { readonly path: string; readonly field: FieldSchema; readonly around: readonly FieldSchema[] };

function fieldsOf(schema: FieldSchema, path: string, around: readonly FieldSchema[] = []): Found[] {
  const inside = [...around, schema];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
      { path: `${path}.${key}`, field, around: inside },
      ...fieldsOf(field, `${path}.${key}`, inside),
    ]),
    ...(schema.items ? fieldsOf(schema.items, `${path}[]`, inside) : []),
    ...(schema.anyOf ?? []).flatMap((choice) => fieldsOf(choice, path, inside)),
  ];
}

/** All blocks have these parts. Only the contents of the parts are described. */
const parts = new Set(["options", "content"]);

function faultsOf({ path, field, around }: Found): string[] {
  // The builder does not edit the fields within a field with the widget `kept`.
  if (around.some((one) => one.widget === "kept")) return [];
  const isPart = around.length === 1 && parts.has(path.split(".").at(-1) ?? "");
  return [
    ...(field.title ? [] : [`${path} has no title`]),
    ...(field.description || isPart ? [] : [`${path} has no description`]),
    ...(widgetOf(field) === "json" ? [`${path} has no widget`] : []),
  ];
}

function fieldAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inner = schema.properties?.[key];
  return inner && fieldAt(inner, rest);
}

/** Returns the possible values of a field, or undefined if the field may have any value. */
function wordsOf({ anyOf, examples, widget, type }: FieldSchema): ReadonlySet<unknown> | undefined {
  if (type === "boolean") return new Set([true, false]);
  if (widget === "choice") return new Set(examples);
  const words = anyOf?.map((choice) => choice.const);
  return words?.every((word) => word !== undefined) ? new Set(words) : undefined;
}
