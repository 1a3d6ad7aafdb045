import { defineChatCompletion } from "./chat-completion.ts";
import { extractionOptions } from "./extraction-options.ts";

export const mistral = defineChatCompletion({ type: "mistral", provider: "Mistral", kept: extractionOptions });
