import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";

export const togetherAi = defineActions({
  type: "together-ai",
  summary: "Asks a language model of Together AI for an answer, and gives it to variables.",
  editor: { name: "Together AI", icon: "blend", words: ["ai", "llm", "model", "chat"] },
  actions: [chatCompletion],
});
