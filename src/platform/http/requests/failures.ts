import { AppError, type ErrorCode } from "../../../errors.ts";
import { isOutage } from "../../database/primary/outage.ts";
import { violatedConstraint } from "../../database/violations.ts";

/**
 * Returns the error that the client may see. An AppError is returned unchanged. Any other error is replaced by an
 * AppError without the original message.
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) return new AppError("server.unavailable", { cause: error });
  const erased = erasedMeanwhile(error);
  return new AppError(erased ?? "server.internal", { cause: error });
}

/**
 * Returns the error code for a parent that was deleted after it was found and before the row was inserted. Such an
 * insert violates a foreign key. Returns undefined for any other error.
 */
function erasedMeanwhile(error: unknown): ErrorCode | undefined {
  const [, noun = ""] = /_(workspace|bot|folder|user|endpoint)_id_fkey$/.exec(violatedConstraint(error) ?? "") ?? [];
  return notFound.get(noun);
}

const notFound = new Map<string, ErrorCode>([
  ["workspace", "workspace.not_found"],
  ["bot", "bot.not_found"],
  ["folder", "folder.not_found"],
  ["user", "user.not_found"],
  ["endpoint", "event_endpoint.not_found"],
]);
