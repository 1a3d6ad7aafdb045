import { describe, expect, test } from "bun:test";
import { argumentsProblem, schemaProblem } from "../../../../src/core/interpreter/evaluation/tool-schema.ts";
import type { JsonObject } from "../../../../src/core/interpreter/flow.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more }) as const;
const within = (levels: number): object => (levels === 0 ? { type: "string" } : object({ a: within(levels - 1) }));

describe("the schema of a tool's parameters", () => {
  test.each<[string, unknown, string | undefined]>([
    ["with nested alternatives", object({ a: { anyOf: [{ type: "string" }, { type: "null" }] } }), undefined],
    ["with internal references", object({ a: { $ref: "#/$defs/b" } }, { $defs: { b: {} } }), undefined],
    ["with a parameter named like a reference", object({ $ref: { type: "string" } }), undefined],
    ["of the type array", { type: "array" }, "The schema must have the type object"],
    ["that is not an object", "object", "The schema must have the type object"],
    [
      "that is too long",
      object({ a: { description: "x".repeat(16_000) } }),
      "The schema is longer than 16000 characters",
    ],
    ["with ten levels of nesting", within(10), undefined],
    ["with eleven levels of nesting", within(11), "The schema has more than 10 levels of nesting"],
    [
      "with an external reference",
      object({ a: { $ref: "https://x.example/b" } }),
      "The schema refers to an external schema",
    ],
    [
      "with a reference to a file",
      object({ a: { items: { $ref: "b.json#/c" } } }),
      "The schema refers to an external schema",
    ],
  ])("the schema of a tool's parameters is checked: a schema %s", (_, schema, problem) => {
    expect(schemaProblem(schema)).toBe(problem);
  });
});

describe("the arguments of a call", () => {
  const schema = object(
    {
      when: { type: "string", format: "date", pattern: "^(a+)+$" },
      people: { type: "integer", minimum: 1, maximum: 8 },
      tags: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
      place: { $ref: "#/$defs/place" },
    },
    {
      required: ["people"],
      additionalProperties: false,
      $defs: { place: object({ city: { type: "string" }, near: { $ref: "#/$defs/place" } }, { required: ["city"] }) },
    },
  );

  test.each<[JsonObject, string | undefined]>([
    [{ people: 2 }, undefined],
    [{ people: 2, tags: ["a", "b"], place: { city: "Rome", near: { city: "Ostia" } } }, undefined],
    [{}, 'Instance does not have required property "people".'],
    [{ people: 9 }, "people: 9 is greater than 8."],
    [{ people: 1.5 }, 'people: Instance type "number" is invalid. Expected "integer".'],
    [{ people: 1, tags: ["c"] }, 'tags.0: Instance does not match any of ["a","b"].'],
    [{ people: 1, place: { city: "Rome", near: {} } }, 'place.near: Instance does not have required property "city".'],
    [{ people: 1, more: true }, 'Property "more" does not match additional properties schema.'],
  ])("the arguments of a call are checked: %j", (given, problem) => {
    expect(argumentsProblem(schema, given)).toBe(problem && `The arguments do not fit: ${problem}`);
  });

  test("text patterns and unique items in the schema are not checked for arguments", () => {
    const tags = Array.from({ length: 20_000 }, () => "a");

    expect(argumentsProblem(schema, { people: 1, when: `${"a".repeat(60)}!`, tags })).toBeUndefined();
  });

  test("the arguments of a call may have names that match a pattern", () => {
    const open = object({ a: { type: "string" } }, { patternProperties: { "^x-": {} }, additionalProperties: false });

    expect(argumentsProblem(open, { a: "b", "x-c": 1 })).toBeUndefined();
    expect(argumentsProblem(open, { a: 1 })).toContain("a: Instance type");
  });

  test.each<[string, object]>([
    ["to a missing definition", { a: { $ref: "#/$defs/none" } }],
    ["to itself", { a: { $ref: "#/properties/a" } }],
  ])("the arguments of a call cannot be checked by a schema with a reference %s", (_, properties) => {
    expect(argumentsProblem(object(properties), { a: 1 })).toStartWith("The arguments cannot be checked");
  });

  test("the message about invalid arguments is limited in length", () => {
    const required = Array.from({ length: 200 }, (_, index) => `parameter-${index}`);

    expect(argumentsProblem(object({}, { required }), {})).toHaveLength(1_000);
  });

  test("checking the arguments of a call leaves the schema unchanged", () => {
    const before = JSON.stringify(schema);
    argumentsProblem(schema, { people: 1 });

    expect(JSON.stringify(schema)).toBe(before);
  });
});
