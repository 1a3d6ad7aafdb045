import { AppError } from "../../../errors.ts";

/**
 * A problem in the request: its path (such as `bot.groups[0].id`, empty for the whole request) and a message such as
 * "must be a string".
 */
export type Issue = { readonly path: string; readonly message: string };

/** Returns the error 400 `request.invalid` that lists the problems. The first problem is the error's message. */
export function invalidInput(issues: readonly Issue[]): AppError {
  const [first] = issues;
  if (!first) return new AppError("request.invalid", { data: { issues } });
  const message = `Input validation failed: ${first.path || "the body"} ${first.message}.`;
  return new AppError("request.invalid", { data: { issues }, message });
}
