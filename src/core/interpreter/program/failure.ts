import type { TObject } from "@sinclair/typebox";
import { textAt, valueAt } from "../flow.ts";
import type { Outcome } from "./outcome.ts";
import type { View } from "./view.ts";
import type { Ways } from "./ways.ts";

/** Whether blocks of this schema have an edge for a failure. */
export function takesFailure(schema: TObject): boolean {
  return valueAt(schema, "properties", "options", "properties", "failure") !== undefined;
}

/** The stored edge for a failure, whether it leads anywhere or not. */
export function failureEdgeOf(block: unknown): string | undefined {
  return textAt(block, "options", "failure", "outgoingEdgeId");
}

/**
 * A failed outcome by the edge for it, where the flow has that edge: what the author says there takes the place of the service's own
 * sentence. Writes and logs stay.
 */
export function byFailureEdge(outcome: Outcome, edgeId: string, view: View): Outcome {
  const { failed } = outcome;
  if (!failed || !view.program.edges.has(edgeId)) return outcome;
  const { logs = [], writes = [], sessionVariableIds = [], jobs = [] } = outcome;
  const kept = { logs, writes, sessionVariableIds, jobs };
  // A client that draws the answer sees nothing else of this step: when it reports back, the block is run again and goes its way.
  if (view.isStreamed) return { kind: "pause", ...kept };
  return { kind: "leave", edgeId, ...kept, ...(failed.messages && { messages: failed.messages }) };
}

/** The ways of a block with the one by its edge for a failure. */
export function withFailureWay({ ways, ...rest }: Ways, block: unknown): Ways {
  const edgeId = failureEdgeOf(block);
  if (edgeId === undefined) return { ...rest, ways };
  return { ...rest, ways: [...ways, { kind: "edge", edgeId, at: "options.failure" }] };
}
