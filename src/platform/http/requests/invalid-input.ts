import { AppError } from "../../../errors.ts";

/**
 * The place in the request (`bot.groups[0].id`, empty for the whole request) and the problem there: "must be a string".
 */
export type Issue = { readonly path: string; readonly message: string };

/** The error 400 `request.invalid` that lists the problems; its message is the first problem. */
export function invalidInput(issues: readonly Issue[]): AppError {
  const [first] = issues;
  if (!first) return new AppError("request.invalid", { data: { issues } });
  const message = `Input validation failed: ${first.path || "the body"} ${first.message}.`;
  return new AppError("request.invalid", { data: { issues }, message });
}
