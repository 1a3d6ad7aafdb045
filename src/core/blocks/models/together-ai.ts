import { defineChatBlock } from "./chat-completion.ts";

export const togetherAi = defineChatBlock("together-ai", {
  icon: "blend",
  words: ["ai", "llm", "model", "chat"],
});
