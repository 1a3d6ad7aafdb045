import { AppError, type ErrorCode } from "../../../errors.ts";
import { isOutage } from "../../database/primary/outage.ts";
import { violatedConstraint } from "../../database/violations.ts";

/** The error that the caller may see: an AppError unchanged; for any unforeseen error one without its message. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) return new AppError("server.unavailable", { cause: error });
  const erased = erasedMeanwhile(error);
  return new AppError(erased ?? "server.internal", { cause: error });
}

/**
 * A row's foreign key fails if its parent was found, and erased before the row was inserted: the caller gets the error
 * of an erased parent.
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
