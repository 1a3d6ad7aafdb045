import { defineProvider } from "./kind.ts";

export const perplexity = defineProvider({
  type: "perplexity",
  summary: "Perplexity.",
  baseUrl: "https://api.perplexity.ai",
  takesBaseUrl: true,
  trialPath: "/async/chat/completions",
  modelsPath: null,
});
