import { defineProvider } from "./kind.ts";

export const deepseek = defineProvider({
  type: "deepseek",
  summary: "DeepSeek.",
  baseUrl: "https://api.deepseek.com",
  takesBaseUrl: true,
});
