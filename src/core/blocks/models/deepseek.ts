import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";

export const deepseek = defineActions({
  type: "deepseek",
  summary: "Asks a language model of DeepSeek for an answer, and gives it to variables.",
  editor: { name: "DeepSeek", icon: "fish", words: ["ai", "llm", "model", "chat"] },
  actions: [chatCompletion],
});
