import { defineChatCompletion } from "./chat-completion.ts";

export const togetherAi = defineChatCompletion({ type: "together-ai", provider: "Together AI" });
