import { FormatRegistry, type TArray, type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { ErrorCode } from "../../errors.ts";
import { limits } from "../../limits/index.ts";

FormatRegistry.Set("date-time", isTimestamp);

/** Values for examples in the documentation. */
export const exampleId = "06ey3k2m5q8r1t4v7x0z9w2b5d";
export const exampleTime = "2026-08-22T06:05:06.000Z";

/** An id in a response. */
export const Id = Type.String({ pattern: "^[0-9a-z]{26}$", examples: [exampleId] });

/** An id in a body or query. Its format is not validated: an unknown id results in the 404 error of its resource. */
export const IdInput = Type.String({ examples: [exampleId] });

/**
 * Returns the schema of a path parameter that is an id. Any text that is not an id is answered with `notFound`, as if
 * the resource did not exist.
 */
export function idPath(notFound: ErrorCode) {
  return Type.String({ pattern: "^[0-7][0-9a-hjkmnp-tv-z]{25}$", notFound, examples: [exampleId] });
}

/** A time in a response: ISO 8601 in UTC with milliseconds and `Z`, the format in which JSON serializes a `Date`. */
export const Timestamp = Type.Unsafe<Date | string>(
  Type.String({
    format: "date-time",
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
    examples: [exampleTime],
  }),
);

/** A time in a body: ISO 8601 with an offset or `Z`. */
export const TimestampInput = Type.String({
  format: "date-time",
  expected: "an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z",
  examples: [exampleTime],
});

/** A name that a person enters. */
export const NameInput = Type.String({
  minLength: 1,
  maxLength: limits.fields.nameCharacters,
  pattern: "\\S",
  expected: `a text of 1 to ${limits.fields.nameCharacters} characters that are not only blanks`,
});

export const EmailInput = Type.String({
  maxLength: limits.fields.emailCharacters,
  pattern: "^[^\\s@]+@[^\\s@]+$",
  expected: "an e-mail address",
  examples: ["ada@example.com"],
});

/** A code that was sent by email. */
export const CodeInput = Type.String({
  maxLength: 20,
  pattern: "^\\s*\\d{3}\\s?\\d{3}\\s*$",
  expected: "the six digits of a code",
  description: "The six digits from the e-mail.",
  examples: ["314159"],
});

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Returns the schema of a string with a fixed set of values. */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  options: { default?: Words[number]; description?: string } = {},
) {
  return Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...options });
}

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.lists.pageSize, default: limits.lists.defaultPageSize }),
  ),
  cursor: Type.Optional(Type.String({ description: "`nextCursor` of the previous page." })),
});

/** The `nextCursor` of a page. Absent on the last page. */
export const NextCursor = Type.Optional(
  Type.String({ description: "Send it as `cursor` to get the next page. Absent on the last page." }),
);

/**
 * Returns the query and response schemas of a paginated list. The response contains the rows under their name, and
 * `nextCursor`.
 */
export function pageOf<List extends Record<string, TArray>>(list: List) {
  return { query: PageQuery, answer: Type.Object({ ...list, nextCursor: NextCursor }) };
}

export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/**
 * Returns the schema of a resource, which the documentation lists with this description. `example` supplies the
 * optional fields of the example, and the required fields whose schemas have no example (`exampleOf`).
 */
export function resource<Properties extends TObject["properties"]>(
  name: string,
  properties: Properties,
  description: string,
  example: Readonly<Record<string, unknown>> = {},
) {
  const schema = Type.Object(properties, { $id: name, description });
  return Object.assign(schema, { example: exampleOfFields(schema, example) });
}

/** Returns the example of a schema, which may be composed of the examples of its parts. Undefined if there is none. */
export function exampleOf(schema: TSchema): unknown {
  if ("example" in schema) return schema["example"];
  if ("const" in schema) return schema["const"];
  const { type, properties, items, anyOf, examples } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return anyOf.map(exampleOf).find((example) => example !== undefined);
  if (type === "object" && properties) return exampleOfFields(schema);
  if (type !== "array") return undefined;
  const item = exampleOf(items);
  return item === undefined ? undefined : [item];
}

function exampleOfFields(
  { properties, required = [] }: TSchema,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const fields = Object.entries<TSchema>(properties).map(([name, field]) => {
    const isDerived = required.includes(name) && !Object.hasOwn(given, name);
    return [name, isDerived ? exampleOf(field) : given[name]] as const;
  });
  return Object.fromEntries(fields.filter(([, example]) => example !== undefined));
}

function isTimestamp(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return false;
  // Other years are never intended, and the database or ISO 8601 writes them differently.
  const year = new Date(text).getUTCFullYear();
  return year >= 1970 && year <= 9999 && isDay(text.slice(0, 10));
}

/** Whether this day exists in the calendar. `Date` parses 30 February as a day in March. */
function isDay(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}
