import { defineChatBlock } from "./chat-completion.ts";

export const togetherAi = defineChatBlock("together-ai", {
  name: "Together AI",
  icon: "blend",
  words: ["ai", "llm", "model", "chat"],
});
