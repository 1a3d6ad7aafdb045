import { defineProvider } from "./kind.ts";

export const anthropic = defineProvider({
  type: "anthropic",
  summary: "Anthropic.",
  baseUrl: "https://api.anthropic.com/v1",
  takesBaseUrl: false,
  headersOf: (key) => [
    ["x-api-key", key],
    ["anthropic-version", "2023-06-01"],
  ],
  modelsPath: "/models?limit=1000",
});
