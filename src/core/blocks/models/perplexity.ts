import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";

export const perplexity = defineActions({
  type: "perplexity",
  summary: "Asks a language model of Perplexity for an answer, and gives it to variables.",
  editor: { name: "Perplexity", icon: "telescope", words: ["ai", "llm", "search", "model", "chat"] },
  actions: [chatCompletion],
});
