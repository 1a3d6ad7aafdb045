import { defineChatCompletion } from "./chat-completion.ts";

export const groq = defineChatCompletion({ type: "groq", provider: "Groq" });
