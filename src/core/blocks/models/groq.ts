import { defineChatBlock } from "./chat-completion.ts";

export const groq = defineChatBlock("groq", {
  icon: "cpu",
  words: ["ai", "llm", "llama", "model", "chat"],
});
