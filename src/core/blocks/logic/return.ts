import { Type } from "@sinclair/typebox";
import { defineLogic } from "../../interpreter/program/block.ts";
import examples from "./examples.json";

export const returnBlock = defineLogic({
  type: "Return",
  summary:
    "Returns to the block after the last jump, or to the block that the last command or event interrupted. Otherwise, the flow continues.",
  schema: Type.Object({}),
  run: () => ({ kind: "return" }),
  ways: () => ({ waits: false, ways: [{ kind: "return" }, { kind: "next" }] }),
  editor: {
    name: "Return",
    icon: "undo-2",
    words: ["back", "resume", "jump", "end"],
    row: ["Back from the last jump, command or event"],
    related: ["Jump"],
  },
  examples: examples["Return"],
});
