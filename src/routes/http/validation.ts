import { Kind, type Static, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { AppError, type ErrorCode, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits.ts";
import { type Issue, invalidInput } from "../../services/invalid-input.ts";

// `oneOf` makes schemas of kind Unsafe, which TypeBox checks only when told how.
TypeRegistry.Set("Unsafe", (schema: { enum?: readonly unknown[] }, value) => schema.enum?.includes(value) ?? true);

/** Compiles a schema at its first use: a command that serves nothing does not pay for it. */
export function checker<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
}

/** The value, known to fit; otherwise 400 `request.invalid` with what is wrong and where. The value is not changed. */
export function checkInput<Schema extends TSchema>(check: TypeCheck<Schema>, value: unknown): Static<Schema> {
  if (check.Check(value)) return value;
  throw invalidInput(listIssues(check.Errors(value), value));
}

/** The path parameters, known to fit; otherwise the 404 of the noun that the first wrong one would name. */
export function checkPath<Schema extends TSchema>(check: TypeCheck<Schema>, value: unknown): Static<Schema> {
  if (check.Check(value)) return value;
  const wrong = check.Errors(value).First();
  throw new AppError((wrong && notFoundCode(wrong.schema)) ?? "route.not_found");
}

/** Every problem once, as `bot.groups[0].id` and a sentence's end such as "must be a string". */
export function listIssues(errors: Iterable<ValueError>, value: unknown): Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of errors) {
    const path = readablePath(error.path, value);
    // TypeBox reports a missing key twice: as missing and as a wrong type.
    if (!issues.has(path)) issues.set(path, { path, message: describe(error) });
    if (issues.size === limits.request.issues) break;
  }
  return [...issues.values()];
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
  if (typeof schema["expected"] === "string") return `must be ${schema["expected"]}`;
  switch (type) {
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${schema["maxItems"]} entries`;
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${schema["minItems"]} entries`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema["maxLength"]} characters`;
    case ValueErrorType.StringMinLength:
      return `must have at least ${schema["minLength"]} characters`;
    case ValueErrorType.StringPattern:
      return `must match ${schema["pattern"]}`;
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema["minimum"]}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema["maximum"]}`;
    default:
      return `must be ${typeName(schema)}`;
  }
}

function typeName(schema: TSchema): string {
  if (typeof schema["expected"] === "string") return schema["expected"];
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
  if (Array.isArray(schema["anyOf"])) return [...new Set(schema["anyOf"].map(typeName))].join(" or ");
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

/** The code that `idPath` gave to a path parameter's schema. */
export function notFoundCode(schema: TSchema): ErrorCode | undefined {
  const code: unknown = schema["notFound"];
  return isErrorCode(code) ? code : undefined;
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCatalogue, code);
}
