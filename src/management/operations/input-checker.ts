import type { Static, TSchema } from "@sinclair/typebox";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import type { Spelling } from "../../compatibility/spelling.ts";
import { checker } from "../../platform/http/validation.ts";

/**
 * Returns a function that checks a value in the caller's dialect and returns it with the service's own names. Problems
 * contain the caller's names.
 */
export function inputChecker<Schema extends TSchema>(
  schema: Schema,
  spelling: Spelling,
  check: <Checked extends TSchema>(check: TypeCheck<Checked>, value: unknown) => Static<Checked>,
): (value: unknown) => Static<Schema> {
  const own = checker(schema);
  const spelledSchema = spelling.schema(schema);
  if (spelledSchema === schema) return (value) => check(own(), value);
  const theirs = checker(spelledSchema);
  return (value) => check(own(), spelling.read(schema, check(theirs(), value)));
}
