import { defineActions } from "./action.ts";
import { chatCompletion } from "./chat-completion.ts";
import { generateVariables } from "./generate-variables.ts";

export const mistral = defineActions({
  type: "mistral",
  summary: "Asks a language model of Mistral for an answer, or for values that it finds in a text.",
  editor: { name: "Mistral", icon: "wind", words: ["ai", "llm", "model", "chat"] },
  actions: [chatCompletion, generateVariables],
});
