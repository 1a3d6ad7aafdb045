import { continueAfter, type Outcome, type StepLog } from "../interpreter/program/outcome.ts";

/** The flow goes on behind the block, and its log says something. */
export function logged(block: { readonly outgoingEdgeId?: string }, log: StepLog): Outcome {
  return { ...continueAfter(block), logs: [log] };
}
