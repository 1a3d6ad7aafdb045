import { AppError, errorCatalogue } from "../errors.ts";
import type { StepLog } from "../interpreter/outcome.ts";

/** What a result's log says of a step that did more than a step may; undefined for errors that are not the flow's. */
export function refusalLog(error: unknown): StepLog | undefined {
  if (!(error instanceof AppError) || error.code !== "step.over_budget") return undefined;
  return { status: "error", description: error.message, details: JSON.stringify(error.data ?? {}) };
}

/** Whether the flow does not take this step: an ending that no save has checked. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && errorCatalogue[error.code].status < 500;
}
