import { nameOfProvider } from "../../credentials/providers.ts";
import { chatCompletion } from "./chat-completion.ts";
import { generateVariables } from "./generate-variables.ts";
import { defineModelBlock } from "./model-block.ts";

export const mistral = defineModelBlock({
  type: "mistral",
  summary: "Asks a language model of Mistral for an answer, or for values that it finds in a text.",
  editor: { name: nameOfProvider("mistral"), icon: "wind", words: ["ai", "llm", "model", "chat"] },
  actions: [chatCompletion, generateVariables],
});
