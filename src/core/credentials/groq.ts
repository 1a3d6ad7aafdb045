import { defineProvider } from "./kind.ts";

export const groq = defineProvider({
  type: "groq",
  summary: "Groq.",
  baseUrl: "https://api.groq.com/openai/v1",
  takesBaseUrl: true,
});
