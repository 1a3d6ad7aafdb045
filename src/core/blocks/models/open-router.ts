import { defineChatBlock } from "./chat-completion.ts";

export const openRouter = defineChatBlock("open-router", {
  icon: "route",
  words: ["ai", "llm", "model", "chat"],
});
