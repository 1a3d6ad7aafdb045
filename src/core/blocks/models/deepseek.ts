import { defineChatBlock } from "./chat-completion.ts";

export const deepseek = defineChatBlock("deepseek", {
  icon: "fish",
  words: ["ai", "llm", "model", "chat"],
});
