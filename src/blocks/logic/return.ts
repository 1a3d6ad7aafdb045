import { Type } from "@sinclair/typebox";
import { defineBlock } from "../../interpreter/block.ts";

/** Comes back from a jump, a command or an event. */
export const returnBlock = defineBlock({
  type: "Return",
  family: "logic",
  summary: "Comes back to where the last jump, command or event came from; without one the flow just goes on.",
  schema: Type.Object({}),
  run: () => ({ kind: "return" }),
  examples: [
    {
      title: "With nothing to come back to, the flow just goes on.",
      block: { outgoingEdgeId: "on" },
      expect: { messages: [{ id: "on" }] },
    },
  ],
});
