import { defineChatBlock } from "./chat-completion.ts";

export const perplexity = defineChatBlock("perplexity", {
  icon: "telescope",
  words: ["ai", "llm", "search", "model", "chat"],
});
