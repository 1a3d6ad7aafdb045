import { Kind, type TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { limits } from "../../../limits/index.ts";
import type { Issue } from "./invalid-input.ts";

/**
 * Returns the first problem of each path, up to a maximum number of problems. A path looks like `bot.groups[0].id`, and
 * a message like "must be a string".
 */
export function listIssues(errors: Iterable<ValueError>, value: unknown): Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of errors) {
    for (const { pointer, message } of findProblems(error)) {
      const path = readablePath(pointer, value);
      // TypeBox reports a missing key twice: as missing and as having the wrong type.
      if (!issues.has(path)) issues.set(path, { path, message });
      if (issues.size === limits.request.issues) return [...issues.values()];
    }
  }
  return [...issues.values()];
}

type Problem = { readonly pointer: string; readonly message: string };

/**
 * Yields the problems of an error. If an object matches none of a union's objects, its discriminating key selects the
 * object that was meant, and the problems of this object are yielded. If the key selects no object, the problem lists
 * the key's valid values. The `elsewhere` property of the union has messages for values that another operation accepts.
 */
function* findProblems(error: ValueError): Generator<Problem> {
  const { type, value, path } = error;
  const fitting = type === ValueErrorType.Union ? plainChoice(error) : undefined;
  if (fitting) {
    yield* problemsIn(fitting.errors);
    return;
  }
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  const choices = type === ValueErrorType.Union && isObject ? objectChoices(error) : [];
  const [only] = choices;
  const key = choices.length === 1 ? undefined : tellingKey(choices.map(({ schema }) => schema));
  if (only === undefined || (choices.length > 1 && key === undefined)) {
    yield { pointer: path, message: describe(error) };
    return;
  }
  if (key === undefined) {
    yield* problemsIn(only.errors);
    return;
  }
  const word = childOf(value, key);
  const meant = choices.find(({ schema }) => wordOf(schema, key) === word);
  if (meant) {
    yield* problemsIn(meant.errors);
    return;
  }
  const words = choices.map(({ schema }) => JSON.stringify(wordOf(schema, key)));
  const elsewhere = childOf(error.schema["elsewhere"], String(word));
  const message = typeof elsewhere === "string" ? elsewhere : `must be ${choiceOf(words)}`;
  yield { pointer: `${path}/${key}`, message };
}

/** Yields problems lazily, because a list of millions of items can have millions of problems. */
function* problemsIn(errors: Iterable<ValueError>): Generator<Problem> {
  for (const error of errors) yield* findProblems(error);
}

type Choice = { readonly schema: TSchema; readonly errors: Iterable<ValueError> };

function objectChoices({ schema, errors }: ValueError): Choice[] {
  const anyOf: TSchema[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  return anyOf.flatMap((choice, index) =>
    choice["type"] === "object" ? [{ schema: choice, errors: errors[index] ?? [] }] : [],
  );
}

/**
 * Returns the choice that has the type of the value, if it is the only one. The value then violates a limit of this
 * choice or has an invalid entry. A constant or a choice with its own error message is not returned.
 */
function plainChoice({ schema, errors, value }: ValueError): Choice | undefined {
  const anyOf: TSchema[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  const choices = anyOf.flatMap((choice, index) =>
    isOfKind(choice["type"], value) ? [{ schema: choice, errors: errors[index] ?? [] }] : [],
  );
  const [only, another] = choices;
  return another || only?.schema["expected"] !== undefined || only?.schema["const"] !== undefined ? undefined : only;
}

function isOfKind(type: unknown, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return (type === "string" || type === "number") && typeof value === type;
}

/** Returns the key whose value discriminates the given objects, if any. */
function tellingKey([first, ...others]: readonly TSchema[]): string | undefined {
  if (!first) return undefined;
  const keys = Object.keys(first["properties"] ?? {});
  return keys.find((key) => [first, ...others].every((schema) => wordOf(schema, key) !== undefined));
}

function wordOf(schema: TSchema, key: string): unknown {
  return schema["properties"]?.[key]?.const;
}

function choiceOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function readablePath(pointer: string, value: unknown): string {
  let path = "";
  let here = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here)) path += `[${key}]`;
    else path += path === "" ? key : `.${key}`;
    here = childOf(here, key);
  }
  return path;
}

function childOf(value: unknown, key: string): unknown {
  if (value === null || typeof value !== "object") return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function describe({ type, schema }: ValueError): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return "is required";
  if (type === ValueErrorType.ObjectAdditionalProperties) return "is not a known field";
  if (typeof schema["expected"] === "string") return `must be ${schema["expected"]}`;
  return bounds.get(type)?.(schema) ?? `must be ${typeName(schema)}`;
}

const bounds = new Map<ValueErrorType, (schema: TSchema) => string>([
  [
    ValueErrorType.ArrayMaxItems,
    ({ maxItems }) => `must have at most ${maxItems} ${maxItems === 1 ? "entry" : "entries"}`,
  ],
  [
    ValueErrorType.ArrayMinItems,
    ({ minItems }) => `must have at least ${minItems} ${minItems === 1 ? "entry" : "entries"}`,
  ],
  [ValueErrorType.StringMaxLength, ({ maxLength }) => `must have at most ${maxLength} characters`],
  [
    ValueErrorType.StringMinLength,
    ({ minLength }) => `must have at least ${minLength} ${minLength === 1 ? "character" : "characters"}`,
  ],
  [ValueErrorType.StringPattern, ({ pattern }) => `must match ${pattern}`],
  [ValueErrorType.IntegerMinimum, ({ minimum }) => `must be at least ${minimum}`],
  [ValueErrorType.NumberMinimum, ({ minimum }) => `must be at least ${minimum}`],
  [ValueErrorType.IntegerMaximum, ({ maximum }) => `must be at most ${maximum}`],
  [ValueErrorType.NumberMaximum, ({ maximum }) => `must be at most ${maximum}`],
]);

function typeName(schema: TSchema): string {
  if (typeof schema["expected"] === "string") return schema["expected"];
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
  if (Array.isArray(schema["anyOf"])) return unionName(schema["anyOf"]);
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  switch (schema["type"]) {
    case "integer":
      return "a whole number";
    case "array":
    case "object":
      return `an ${schema["type"]}`;
    case "null":
      return "null";
    case undefined:
      return schema[Kind];
    default:
      return `a ${schema["type"]}`;
  }
}

/**
 * Returns a description of the choices: each type of value once, and objects by the values of their discriminating key,
 * if they have one.
 */
function unionName(choices: readonly TSchema[]): string {
  const objects = choices.filter((choice) => choice["type"] === "object");
  const key = objects.length > 1 ? tellingKey(objects) : undefined;
  if (key === undefined) return [...new Set(choices.map(typeName))].join(" or ");
  const words = choiceOf(objects.map((choice) => JSON.stringify(wordOf(choice, key))));
  const others = choices.filter((choice) => choice["type"] !== "object").map(typeName);
  return [...new Set(others), `an object whose ${key} is ${words}`].join(" or ");
}
