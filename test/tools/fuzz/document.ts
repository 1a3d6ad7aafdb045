import { valueAt } from "../../support/client.ts";
import type { Dice } from "./dice.ts";
import { isPlain } from "./odd-values.ts";

type Schema = Readonly<Record<string, unknown>>;

export type Parameter = { readonly name: string; readonly schema: Schema; readonly example: unknown };

/** An operation as described in the OpenAPI document. */
export type DocumentedOperation = {
  readonly method: string;
  /** The path with `{names}` as placeholders. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly pathExamples: ReadonlyMap<string, string>;
  /** Absent if the operation accepts no JSON. */
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  readonly scope: string | undefined;
  readonly takesToken: boolean;
};

export type ApiDocument = {
  readonly operations: readonly DocumentedOperation[];
  /** Returns a value that matches a schema of the document. */
  fitting(schema: Schema, dice: Dice): unknown;
};

export async function readDocument(url: string): Promise<ApiDocument> {
  const document: unknown = await (await fetch(`${url}/docs/json`)).json();
  const named = valueAt(document, "components.schemas");
  const operations = Object.entries(valueAt(document, "paths") ?? {}).flatMap(([path, entry]) =>
    Object.entries(entry)
      // Streams that last for minutes are excluded. Steps of chats are answered with JSON unless a stream is requested.
      .filter(([, told]) => {
        const types = Object.keys(valueAt(told, "responses.200.content") ?? {});
        return !types.includes("text/event-stream") || types.includes("application/json");
      })
      .map(([method, told]) => operationOf({ method: method.toUpperCase(), path }, told)),
  );
  return { operations, fitting: (schema, dice) => fitting(schema, { dice, named, depth: 0 }) };
}

function operationOf(place: { method: string; path: string }, told: unknown): DocumentedOperation {
  const parameters = valueAt(told, "parameters");
  const all: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  const query = all.filter((one) => valueAt(one, "in") === "query");
  const inPath = all.filter((one) => valueAt(one, "in") === "path" && valueAt(one, "example") !== undefined);
  const content = valueAt(told, "requestBody.content.application/json");
  const scope = valueAt(told, "x-token-scope");
  const security = valueAt(told, "security");
  return {
    ...place,
    query: query.map((one) => ({
      name: String(valueAt(one, "name")),
      schema: schemaAt(one),
      example: valueAt(one, "example"),
    })),
    pathExamples: new Map(inPath.map((one) => [String(valueAt(one, "name")), String(valueAt(one, "example"))])),
    body: content === undefined ? undefined : { schema: schemaAt(content), example: valueAt(content, "example") },
    scope: typeof scope === "string" ? scope : undefined,
    takesToken: Array.isArray(security) && security.length > 0,
  };
}

function schemaAt(value: unknown): Schema {
  const schema = valueAt(value, "schema");
  return isPlain(schema) ? schema : {};
}

type Place = { readonly dice: Dice; readonly named: unknown; readonly depth: number };

const deepest = 6;

function fitting(schema: Schema, place: Place): unknown {
  const { dice, depth } = place;
  const inner = { ...place, depth: depth + 1 };
  if (schema["nullable"] === true && dice.oneIn(6)) return null;
  if (typeof schema["$ref"] === "string") return fitting(referred(schema["$ref"], place), inner);
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return dice.pick<unknown>(schema["enum"]);
  for (const choices of [schema["anyOf"], schema["oneOf"], schema["allOf"]]) {
    const choice: unknown = Array.isArray(choices) ? dice.pick<unknown>(choices) : undefined;
    if (isPlain(choice)) return fitting(choice, inner);
  }
  if (schema["example"] !== undefined && !dice.oneIn(3)) return schema["example"];
  switch (schema["type"]) {
    case "object":
      return depth > deepest ? {} : fittingObject(schema, inner);
    case "array": {
      const items = schema["items"];
      if (depth > deepest || !isPlain(items)) return [];
      const most = typeof schema["maxItems"] === "number" ? Math.min(schema["maxItems"], 3) : 3;
      const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
      return Array.from({ length: least + dice.below(most - least + 1) }, () => fitting(items, inner));
    }
    case "integer":
    case "number": {
      const [minimum, maximum] = [schema["minimum"], schema["maximum"]];
      const least = typeof minimum === "number" ? minimum : -3;
      const most = typeof maximum === "number" ? maximum : least + 200;
      return dice.pick([least, most, least + dice.below(Math.max(1, most - least))]);
    }
    case "boolean":
      return dice.oneIn(2);
    case "string":
      return fittingText(schema, dice);
    default:
      return dice.pick([null, "text", 7, true, { key: "value" }, ["a"]]);
  }
}

function referred(reference: string, { named }: Place): Schema {
  const schema: unknown = Object.getOwnPropertyDescriptor(named ?? {}, reference.split("/").at(-1) ?? "")?.value;
  return isPlain(schema) ? schema : {};
}

function fittingObject(schema: Schema, place: Place): Record<string, unknown> {
  const properties = isPlain(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const present = properties.filter(([name]) => required.includes(name) || place.dice.oneIn(2));
  const object = Object.fromEntries(present.map(([name, one]) => [name, isPlain(one) ? fitting(one, place) : null]));
  const more = schema["additionalProperties"];
  if (more === undefined || more === false) return object;
  return { ...object, Name: isPlain(more) ? fitting(more, place) : "text" };
}

function fittingText(schema: Schema, dice: Dice): string {
  if (schema["format"] === "date-time") return "2031-08-22T06:05:06.000Z";
  const most = typeof schema["maxLength"] === "number" ? schema["maxLength"] : 40;
  const pattern = String(schema["pattern"] ?? "");
  if (pattern.includes("@")) return `ana.${dice.below(1_000)}@example.com`;
  return dice.pick(["Ana", "Two words", "Žluťoučký kůň", "x".repeat(most), "https://example.com/a", "3"]);
}
