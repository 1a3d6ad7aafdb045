import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { blocks } from "../../../src/core/blocks/index.ts";
import { SettingsSchema } from "../../../src/core/interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../../src/core/interpreter/schemas/theme.ts";
import { makeDocument } from "../../../src/service/openapi-document.ts";
import { operations } from "../../../src/service/operations.ts";
import { valueAt } from "../../support/client.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { longTest } from "../../support/long-test.ts";

type Schema = { readonly [keyword: string]: unknown };

const folder = temporaryFolder();
let document: object;

beforeAll(async () => {
  document = await makeDocument(operations, {
    PUBLIC_URL: "https://bots.parley.dev",
    CHAT_URL: "https://chat.parley.dev",
  });
});
afterAll(() => folder.remove());

describe("the OpenAPI document", () => {
  test("the OpenAPI document passes Redocly, with recommendations treated as errors", async () => {
    const file = join(folder.path, "openapi.json");
    await Bun.write(file, JSON.stringify(document));
    const program = join(import.meta.dir, "../../../node_modules/@redocly/cli/bin/cli.js");
    const linter = Bun.spawn(
      [process.execPath, program, "lint", file, "--extends=recommended-strict", "--format=json", "--max-problems=1000"],
      {
        cwd: folder.path,
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [report, said] = await Promise.all([linter.stdout.text(), linter.stderr.text()]);
    const problems: unknown = report.startsWith("{") ? valueAt(JSON.parse(report), "problems") : said;
    const told = Array.isArray(problems)
      ? problems.map(
          (one) => `${valueAt(one, "ruleId")} ${valueAt(one, "location.0.pointer")}: ${valueAt(one, "message")}`,
        )
      : problems;
    expect(told).toEqual([]);
    expect(await linter.exited).toBe(0);
  });

  longTest("the OpenAPI document is valid for Swagger's parser", async () => {
    // The parser replaces references in its argument.
    const valid = await SwaggerParser.validate(JSON.parse(JSON.stringify(document)));
    expect(valueAt(valid, "info.title")).toBe("Parley API");
  });

  test("the OpenAPI document has a description for each part", () => {
    const tags = valueAt(document, "tags");
    const undescribed = [
      ...(Array.isArray(tags) ? tags : []).flatMap((tag) => (isDescribed(tag) ? [] : [`tag ${valueAt(tag, "name")}`])),
      ...Object.entries(valueAt(document, "paths") ?? {}).flatMap(([path, entry]) =>
        Object.entries(entry).flatMap(([method, told]) => undescribedOf(`${method.toUpperCase()} ${path}`, told)),
      ),
      ...Object.entries(valueAt(document, "components.schemas") ?? {}).flatMap(([name, schema]) => [
        ...(isDescribed(schema) ? [] : [name]),
        ...undescribedFields(name, schema),
      ]),
    ];
    expect(undescribed).toEqual([]);
  });
});

test("each field of blocks, theme and settings has a description", () => {
  const undescribed = [...blocks.values()].flatMap(({ type, schema }) =>
    // All blocks have the same parts, so only the contents of the parts need a description.
    Object.entries(schema.properties).flatMap(([part, parts]) => undescribedFields(`${type}.${part}`, parts)),
  );
  expect([
    ...undescribed,
    ...undescribedFields("theme", ThemeSchema),
    ...undescribedFields("settings", SettingsSchema),
  ]).toEqual([]);
});

function undescribedOf(place: string, operation: unknown): string[] {
  const parameters = valueAt(operation, "parameters");
  return [
    ...(typeof valueAt(operation, "summary") === "string" ? [] : [place]),
    ...(Array.isArray(parameters) ? parameters : []).flatMap((one) =>
      isDescribed(one) ? [] : [`${place} ${valueAt(one, "in")} ${valueAt(one, "name")}`],
    ),
    ...undescribedFields(`${place} body`, jsonSchemaOf(valueAt(operation, "requestBody"))),
    ...Object.entries(valueAt(operation, "responses") ?? {}).flatMap(([status, response]) => [
      ...(isDescribed(response) ? [] : [`${place} ${status}`]),
      ...Object.entries(valueAt(response, "headers") ?? {}).flatMap(([name, header]) =>
        isDescribed(header) ? [] : [`${place} ${status} ${name}`],
      ),
      ...undescribedFields(`${place} ${status}`, jsonSchemaOf(response)),
    ]),
  ];
}

function jsonSchemaOf(place: unknown): unknown {
  const content = valueAt(place, "content");
  const json: unknown = Object.getOwnPropertyDescriptor(content ?? {}, "application/json")?.value;
  return valueAt(json, "schema");
}

/** Returns the fields without a description, at any depth. A referenced schema is checked separately. */
function undescribedFields(place: string, schema: unknown): string[] {
  if (!isSchema(schema)) return [];
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, field]) => [
      ...(isDescribed(field) ? [] : [`${place}.${name}`]),
      ...undescribedFields(`${place}.${name}`, field),
    ]),
    ...[items, additionalProperties, ...choices].flatMap((inner) => undescribedFields(place, inner)),
  ];
}

/** Returns whether a value has a description. A reference counts as one, because its target describes the field. */
function isDescribed(value: unknown): boolean {
  if (!isSchema(value)) return false;
  const { description, $ref, anyOf } = value;
  if (typeof description === "string" && description !== "") return true;
  return typeof $ref === "string" || (Array.isArray(anyOf) && anyOf.some(isDescribed));
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
