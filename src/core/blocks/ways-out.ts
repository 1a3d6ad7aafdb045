import type { FlowBlock } from "../interpreter/flow.ts";
import { textAt } from "../interpreter/flow.ts";
import type { CallFailure } from "../interpreter/program/call.ts";
import { continueAfter, type Outcome, type StepLog } from "../interpreter/program/outcome.ts";
import type { Ways } from "../interpreter/program/ways.ts";
import { option, titled } from "./options.ts";

/** Where a block leads when the service that it calls fails it. */
export const failureOption = titled(
  "If it fails",
  option.part("The way out if the call fails. Absent: the flow goes on.", {
    outgoingEdgeId: option.edge("Id of the edge that the flow takes then."),
  }),
);

/** The flow goes on by the block's way for failures, if it has one; its log says why. */
export function failed(
  block: {
    readonly outgoingEdgeId?: string;
    readonly options?: { readonly failure?: { readonly outgoingEdgeId?: string } };
  },
  ...logs: readonly StepLog[]
): Outcome {
  const edgeId = block.options?.failure?.outgoingEdgeId;
  return { ...(edgeId === undefined ? continueAfter(block) : { kind: "leave", edgeId }), logs };
}

/** On, and by the way for failures. */
export function waysWithFailure({ options }: FlowBlock): Ways {
  const edgeId = textAt(options, "failure", "outgoingEdgeId");
  const failure = edgeId === undefined ? [] : [{ kind: "edge", edgeId, at: "options.failure" } as const];
  return { waits: false, ways: [{ kind: "on" }, ...failure] };
}

/** The log entry for a call of a service that failed. */
export function serviceFailureLog(
  { type }: { readonly type: string },
  { reason, status, details }: CallFailure,
  { service, context }: { readonly service: string; readonly context: string },
): StepLog {
  const said = details === undefined ? {} : { details };
  if (reason === "credentials" && status === undefined) {
    return { description: `Could not find credentials for block ${type}`, ...said, context, reason };
  }
  const isKey = reason === "credentials" || reason === "budget";
  return {
    description: `${service} ${sentences[reason]}`,
    ...said,
    context,
    reason: isKey ? reason : `http.${status ?? "unanswered"}`,
  };
}

const sentences: Readonly<Record<CallFailure["reason"], string>> = {
  credentials: "refuses the credentials",
  address: "was not called, because its address is not allowed",
  busy: "was not called, because too many calls wait here",
  time: "took too long",
  unreachable: "cannot be reached",
  unreadable: "gave an answer that cannot be read",
  status: "refused the request",
  refused: "was not asked",
  budget: "was not called, because the budget is used up",
  file: "was not called, because a file cannot be read",
};
