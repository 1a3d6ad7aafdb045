import { defineProvider } from "./kind.ts";

export const mistral = defineProvider({
  type: "mistral",
  summary: "Mistral.",
  baseUrl: "https://api.mistral.ai/v1",
  takesBaseUrl: false,
});
