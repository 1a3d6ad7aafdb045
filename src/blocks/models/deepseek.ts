import { defineChatCompletion } from "./chat-completion.ts";

export const deepseek = defineChatCompletion({ type: "deepseek", provider: "DeepSeek" });
