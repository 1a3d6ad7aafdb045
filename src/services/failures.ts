import { AppError } from "../errors.ts";
import { isOutage } from "../store/database/outage.ts";

/** What was thrown as the error that the caller may see: an AppError stays, everything unforeseen hides its words. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) return new AppError("server.unavailable", { cause: error });
  return new AppError("server.internal", { cause: error });
}
