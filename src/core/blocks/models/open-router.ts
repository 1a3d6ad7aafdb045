import { defineChatBlock } from "./chat-completion.ts";

export const openRouter = defineChatBlock("open-router", {
  name: "OpenRouter",
  icon: "route",
  words: ["ai", "llm", "model", "chat"],
});
