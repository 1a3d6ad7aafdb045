import { defineProvider } from "./kind.ts";

export const openRouter = defineProvider({
  type: "open-router",
  summary: "OpenRouter.",
  baseUrl: "https://openrouter.ai/api/v1",
  takesBaseUrl: false,
  // Its models are listed for everybody.
  trialPath: "/key",
});
