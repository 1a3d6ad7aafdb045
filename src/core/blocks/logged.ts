import { continueAfter, type Outcome, type StepLog } from "../interpreter/program/outcome.ts";

/**
 * The call could not be made, or its answer cannot be used: the flow continues by the failure edge, or after the block,
 * with these logs.
 */
export function failedWith(block: { readonly outgoingEdgeId?: string }, ...logs: readonly StepLog[]): Outcome {
  return { ...continueAfter(block), logs, failed: {} };
}

/** The flow continues after the block, with a log entry. */
export function logged(block: { readonly outgoingEdgeId?: string }, log: StepLog): Outcome {
  return { ...continueAfter(block), logs: [log] };
}
