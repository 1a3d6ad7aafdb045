import { nameOfProvider } from "../../credentials/providers.ts";
import { chatCompletion } from "./chat-completion.ts";
import { generateVariables } from "./generate-variables.ts";
import { defineModelBlock } from "./model-block.ts";

export const mistral = defineModelBlock({
  type: "mistral",
  summary: "Asks a Mistral language model for an answer, or for values that it extracts from a text.",
  editor: { name: nameOfProvider("mistral"), icon: "wind", words: ["ai", "llm", "model", "chat"] },
  actions: [chatCompletion, generateVariables],
});
