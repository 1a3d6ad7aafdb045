import { AppError } from "../errors.ts";
import { isOutage } from "../store/database/outage.ts";

/** The error that the caller may see: an AppError as it is; for anything unforeseen one that does not show its message. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) return new AppError("server.unavailable", { cause: error });
  return new AppError("server.internal", { cause: error });
}
