import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";

export const openRouter = defineActions({
  type: "open-router",
  summary: "Asks a language model of OpenRouter for an answer, and gives it to variables.",
  editor: { name: "OpenRouter", icon: "route", words: ["ai", "llm", "model", "chat"] },
  actions: [chatCompletion],
});
