import { describe, expect, test } from "bun:test";
import { apply, invert } from "../../../src/core/editing/changes/apply.ts";
import type { DraftDocument } from "../../../src/core/editing/changes/change.ts";
import { listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import { setInBlocks } from "../../../src/web/app/editor/commands/blocks.ts";
import { isRefused } from "../../../src/web/app/editor/commands/command.ts";
import { rememberMade } from "../../../src/web/app/forms/made.ts";
import { commonOf } from "../../../src/web/app/forms/several.ts";
import { schemaAt } from "../../../src/web/app/forms/values.ts";
import { codeOf, linesOf } from "../../../src/web/app/request-trial/answer-path.ts";
import { curlOf } from "../../../src/web/app/request-trial/curl.ts";
import { keptValues, mappingFor, variablesOf } from "../../../src/web/app/request-trial/tested-values.ts";
import { contentSecurityPolicy } from "../../../src/web/server/app-page.ts";
import { idOf } from "../../support/builder-ids.ts";

const types = new Map(listBlockTypes().map((one) => [one.type, one]));
const thing = (type: string, options?: object) => ({
  schema: types.get(type)?.schema ?? {},
  value: { id: type, type, ...(options && { options }) },
});

describe("several selected blocks", () => {
  test("several selected blocks share the options that all of them support", () => {
    const common = commonOf([
      thing("text input", { labels: { button: "Go", placeholder: "Who?" }, variableId: idOf("v1"), isLong: true }),
      thing("text input", { labels: { button: "Go" }, variableId: idOf("v2") }),
      thing("email input", { labels: { button: "Go", placeholder: "Who?" } }),
    ]);
    const options = Object.keys(schemaAt(common.schema ?? {}, ["options"])?.properties ?? {});
    expect(options).toContain("variableId");
    expect(options).toContain("labels");
    expect(options).not.toContain("isLong");
    expect(common.value).toEqual({ options: { labels: { button: "Go" } } });
    expect(common.mixed.get("options.labels.placeholder")).toEqual([
      { text: "Who?", count: 2 },
      { text: "", count: 1 },
    ]);
    // Ids are not shown, because they are meaningless to users.
    expect(common.mixed.get("options.variableId")).toEqual([
      { text: undefined, count: 2 },
      { text: "", count: 1 },
    ]);
    expect(common.mixed.size).toBe(2);
  });

  test("several selected blocks show a default if all blocks have the same default", () => {
    const long = (byDefault: boolean) => ({ type: "boolean", title: "Long", default: byDefault });
    const fieldOf = (...defaults: readonly boolean[]) => {
      const blocks = defaults.map((one) => ({
        schema: { properties: { options: { type: "object", properties: { isLong: long(one) } } } },
        value: {},
      }));
      return schemaAt(commonOf(blocks).schema ?? {}, ["options", "isLong"]);
    };

    expect(fieldOf(true, true)).toEqual(long(true));
    expect(fieldOf(true, false)).toEqual({ type: "boolean", title: "Long" });
    expect(fieldOf(false, true)).toEqual({ type: "boolean", title: "Long" });
  });

  test("blocks without common fields have no form", () => {
    expect(commonOf([thing("text"), thing("Condition")]).schema).toBeUndefined();
    expect(
      commonOf([{ schema: {}, value: { id: "x", type: "unheard of" } }, thing("text input")]).schema,
    ).toBeUndefined();
  });

  test("several selected blocks are changed together", () => {
    const blocks = [
      { id: "a", type: "text input" },
      { id: "b", type: "text input", options: { isLong: true } },
    ];
    const draft: DraftDocument = {
      groups: [{ id: "g", title: "G", blocks }],
      edges: [],
      variables: [],
    };
    const run = (value?: unknown) => {
      const made = setInBlocks.make(
        draft,
        { blockIds: ["a", "b", "gone"], path: ["options", "variableId"], value },
        { newId: () => "x" },
      );
      return isRefused(made) ? [] : made.changes;
    };
    const set = run(idOf("v1"));
    const after = apply(draft, set);
    expect(after["groups"]).toMatchObject([
      { blocks: [{ options: { variableId: idOf("v1") } }, { options: { isLong: true, variableId: idOf("v1") } }] },
    ]);
    expect(apply({ ...draft, ...after }, invert(draft, set))["groups"]).toEqual(draft.groups);
    // Resetting an unset value to its default changes nothing, and does not create an empty object.
    expect(run()).toEqual([]);
  });
});

test("removing a value removes only the containers that the form created", () => {
  const made = rememberMade();
  const path = ["options", "labels", "button"];
  expect(made.settle({ id: "x" }, path, "Go")).toEqual([path, "Go"]);
  expect(made.settle({ options: { labels: { button: "Go" } } }, path, undefined)).toEqual([["options"], undefined]);
  expect(made.settle({ options: { labels: { button: "Go" }, isLong: true } }, path, undefined)).toEqual([
    ["options", "labels"],
    undefined,
  ]);
  const other = rememberMade();
  expect(other.settle({ options: { labels: { button: "A" } } }, path, undefined)).toEqual([path, undefined]);
  other.settle({ options: null }, ["options", "isLong"], true);
  expect(other.settle({ options: { isLong: true } }, ["options", "isLong"], undefined)).toEqual([["options"], null]);
});

test("the builder's pages may show pictures from the chats' address", () => {
  const policy = contentSecurityPolicy("'self' http://localhost:*");
  expect(policy).toContain("img-src 'self' https: data: blob: http://localhost:*;");
  expect(policy).toContain("media-src 'self' https: data: blob: http://localhost:*;");
});

describe("a tried request", () => {
  test("a tried request is shown as an escaped curl command", () => {
    const headers = [
      { name: "X-Key", value: "{{secret.KEY}}" },
      { name: "X-Empty", value: "" },
    ];
    expect(curlOf({ method: "POST", url: "https://a.example/?q='$(id)", headers, body: "@it's" })).toBe(
      [
        "curl --request POST 'https://a.example/?q='\\''$(id)'",
        "--header 'X-Key: {{secret.KEY}}'",
        "--header 'X-Empty;'",
        "--data-raw '@it'\\''s'",
      ].join(" \\\n  "),
    );
    const odd = "https://a.example/é {{secret.KEY}}?q=a b%20c";
    expect(curlOf({ method: "GET", url: odd, headers: [], body: null })).toBe(
      "curl --request GET --globoff 'https://a.example/%C3%A9%20{{secret.KEY}}?q=a%20b%20c'",
    );
    expect(curlOf({ method: "HEAD", url: "https://a.example", headers: [], body: null })).toBe(
      "curl --head 'https://a.example'",
    );
  });

  test("a tried request shows the code for each value of its response", () => {
    const { lines, isCut } = linesOf({ items: [{ "first name": "Ada" }], n: null }, 50);
    expect(lines.map(({ path, text }) => [codeOf(path), text])).toEqual([
      ["data", "{2}"],
      ["data.items", "[1]"],
      ["data.items[0]", "{1}"],
      ['data.items[0]["first name"]', '"Ada"'],
      ["data.n", "null"],
    ]);
    expect(isCut).toBe(false);
    expect(linesOf(Array.from({ length: 500 }), 20)).toMatchObject({ isCut: true, lines: { length: 20 } });
  });

  test("a tried request needs values of the variables that it references", () => {
    const variables = [
      { id: idOf("v1"), name: "City" },
      { id: idOf("v2"), name: "Key" },
      { id: idOf("v3"), name: "Else" },
    ];
    const mapping = { id: "m", variableId: idOf("v3"), bodyPath: "data.n" };
    const block = {
      id: "b",
      type: "Webhook",
      options: {
        webhook: { url: "https://a.example/{{City}}", headers: [{ id: "h", key: "K", value: "{{Key}}" }] },
        responseVariableMapping: [mapping],
        variablesForTest: [{ variableId: idOf("v1"), value: "Lyon" }],
      },
    };
    expect(variablesOf(block, variables).map(({ name }) => name)).toEqual(["City", "Key"]);
    expect([...keptValues(block, variables)]).toEqual([["City", "Lyon"]]);
    expect(mappingFor(block, { variableId: idOf("v1"), bodyPath: "data.n", newId: "new" })).toEqual({
      path: ["options", "responseVariableMapping", 0, "variableId"],
      value: idOf("v1"),
    });
    expect(mappingFor(block, { variableId: idOf("v1"), bodyPath: "data.x", newId: "new" })).toEqual({
      path: ["options", "responseVariableMapping"],
      value: [mapping, { id: "new", variableId: idOf("v1"), bodyPath: "data.x" }],
    });
  });
});
