import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";

export const groq = defineActions({
  type: "groq",
  summary: "Asks a language model of Groq for an answer, and gives it to variables.",
  editor: { name: "Groq", icon: "cpu", words: ["ai", "llm", "llama", "model", "chat"] },
  actions: [chatCompletion],
});
