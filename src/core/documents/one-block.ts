import { completeFlow } from "../flow/complete.ts";
import type { StoredFlow } from "../flow/document.ts";
import type { FlowBlock } from "../interpreter/flow.ts";

/**
 * Returns a flow that starts with the given block and then waits for input. Without the input, the chat would end and
 * lose its variables. All variables of the flow may be prefilled, since the caller supplies the values that earlier
 * blocks would have written.
 */
export function flowOfOne({ variables }: Pick<StoredFlow, "variables">, block: FlowBlock): StoredFlow {
  const { outgoingEdgeId: _, ...rest } = block;
  return completeFlow({
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    groups: [{ id: "group", blocks: [rest, { id: `after ${block.id}`, type: "text input" }] }],
    edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "group" } }],
    variables: variables.map(({ isPrefillable: _, ...variable }) => variable),
  });
}
