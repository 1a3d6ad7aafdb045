import { defineChatCompletion } from "./chat-completion.ts";

export const openRouter = defineChatCompletion({ type: "open-router", provider: "OpenRouter" });
