import { type Static, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError, type ErrorCode, errorCatalogue } from "../../errors.ts";
import { invalidInput } from "./requests/invalid-input.ts";
import { listIssues } from "./requests/issues.ts";

// `oneOf` makes schemas of kind Unsafe, which TypeBox checks only if the kind is registered.
TypeRegistry.Set("Unsafe", (schema: { enum?: readonly unknown[] }, value) => schema.enum?.includes(value) ?? true);

/** Compiles a schema at its first use: a command that serves no requests does not pay for it. */
export function checker<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
}

/**
 * The value, once it is valid; otherwise 400 `request.invalid` with each problem and its place. The value is not
 * changed.
 */
export function checkInput<Schema extends TSchema>(check: TypeCheck<Schema>, value: unknown): Static<Schema> {
  if (check.Check(value)) return value;
  throw invalidInput(listIssues(check.Errors(value), value));
}

/**
 * The path parameters, once they are valid; otherwise the 404 of the noun that the first wrong one would name, or 400
 * if that parameter would name a new resource.
 */
export function checkPath<Schema extends TSchema>(check: TypeCheck<Schema>, value: unknown): Static<Schema> {
  if (check.Check(value)) return value;
  const wrong = check.Errors(value).First();
  if (wrong?.schema["expected"] !== undefined) throw invalidInput(listIssues(check.Errors(value), value));
  throw new AppError((wrong && notFoundCode(wrong.schema)) ?? "route.not_found");
}

/** The code that `idPath` gave to a path parameter's schema. */
export function notFoundCode(schema: TSchema): ErrorCode | undefined {
  const code: unknown = schema["notFound"];
  return isErrorCode(code) ? code : undefined;
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCatalogue, code);
}
