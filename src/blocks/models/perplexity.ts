import { defineChatCompletion } from "./chat-completion.ts";

export const perplexity = defineChatCompletion({ type: "perplexity", provider: "Perplexity" });
