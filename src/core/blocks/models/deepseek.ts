import { defineChatBlock } from "./chat-completion.ts";

export const deepseek = defineChatBlock("deepseek", {
  name: "DeepSeek",
  icon: "fish",
  words: ["ai", "llm", "model", "chat"],
});
