import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";

export const perplexity = defineActions({
  type: "perplexity",
  summary: "Asks a language model of Perplexity for an answer, and gives it to variables.",
  actions: [chatCompletion],
});
