import { type Static, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError, type ErrorCode, errorCatalogue } from "../../errors.ts";
import { invalidInput } from "./requests/invalid-input.ts";
import { listIssues } from "./requests/issues.ts";

// `oneOf` creates schemas of the kind Unsafe, which TypeBox checks only if this kind is registered.
TypeRegistry.Set("Unsafe", (schema: { enum?: readonly unknown[] }, value) => schema.enum?.includes(value) ?? true);

/** Compiles a schema at its first use, so that commands that serve no requests start faster. */
export function checker<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
}

/**
 * Returns the unchanged value if it is valid. Otherwise throws the error 400 `request.invalid` with each problem and
 * its path.
 */
export function checkInput<Schema extends TSchema>(check: TypeCheck<Schema>, value: unknown): Static<Schema> {
  if (check.Check(value)) return value;
  throw invalidInput(listIssues(check.Errors(value), value));
}

/**
 * Returns the path parameters if they are valid. Otherwise throws the 404 error for the resource of the first invalid
 * parameter, or the error 400 if the parameter names a new resource.
 */
export function checkPath<Schema extends TSchema>(check: TypeCheck<Schema>, value: unknown): Static<Schema> {
  if (check.Check(value)) return value;
  const wrong = check.Errors(value).First();
  if (wrong?.schema["expected"] !== undefined) throw invalidInput(listIssues(check.Errors(value), value));
  throw new AppError((wrong && notFoundCode(wrong.schema)) ?? "route.not_found");
}

/** Returns the error code, if any, that `idPath` stored in the schema of a path parameter. */
export function notFoundCode(schema: TSchema): ErrorCode | undefined {
  const code: unknown = schema["notFound"];
  return isErrorCode(code) ? code : undefined;
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCatalogue, code);
}
