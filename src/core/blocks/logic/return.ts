import { Type } from "@sinclair/typebox";
import { defineLogic } from "../../interpreter/program/block.ts";

export const returnBlock = defineLogic({
  type: "Return",
  summary: "Comes back to where the last jump, command or event came from; without one the flow just goes on.",
  schema: Type.Object({}),
  run: () => ({ kind: "return" }),
  ways: () => ({ waits: false, ways: [{ kind: "return" }, { kind: "next" }] }),
  editor: {
    name: "Return",
    icon: "undo-2",
    words: ["back", "resume", "jump", "end"],
    row: ["To where the last jump came from"],
    related: ["Jump"],
  },
  examples: [
    {
      title: "With nothing to come back to, the flow just goes on.",
      block: { outgoingEdgeId: "on" },
      expect: { messages: [{ id: "on" }] },
    },
  ],
});
