import { completeFlow } from "../flow/complete.ts";
import type { StoredFlow } from "../flow/document.ts";
import type { FlowBlock } from "../interpreter/flow.ts";

/**
 * A flow that begins with this block and then asks for input: the variables of a chat are lost once it has ended. Its
 * caller supplies the values that earlier blocks would have written, so all of its variables may be prefilled.
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
