import { difyChat } from "./dify-chat.ts";
import { difyFields, difyKnowledge } from "./dify-knowledge.ts";
import { defineModelBlock } from "./model-block.ts";

export const difyAi = defineModelBlock({
  type: "dify-ai",
  summary: "Asks a Dify app for an answer, or searches its data sets.",
  editor: {
    name: "Dify",
    icon: "waypoints",
    words: ["ai", "llm", "agent", "knowledge", "rag", "chat"],
    row: ["{options.action}"],
    related: ["chat-node"],
  },
  remoteFields: difyFields,
  actions: [difyChat, difyKnowledge],
});
