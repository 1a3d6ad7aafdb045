import { continueAfter, type Outcome, type StepLog } from "../interpreter/program/outcome.ts";

/**
 * Returns the outcome of a failed call or an unusable response. The flow continues by the failure edge, or after the
 * block if there is no failure edge.
 */
export function failedWith(block: { readonly outgoingEdgeId?: string }, ...logs: readonly StepLog[]): Outcome {
  return { ...continueAfter(block), logs, failed: {} };
}

/** Continues after the block and writes a log entry. */
export function logged(block: { readonly outgoingEdgeId?: string }, log: StepLog): Outcome {
  return { ...continueAfter(block), logs: [log] };
}
