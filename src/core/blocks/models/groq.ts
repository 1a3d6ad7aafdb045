import { defineChatBlock } from "./chat-completion.ts";

export const groq = defineChatBlock("groq", {
  name: "Groq",
  icon: "cpu",
  words: ["ai", "llm", "llama", "model", "chat"],
});
