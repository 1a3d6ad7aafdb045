import { defineProvider } from "./kind.ts";

export const openRouter = defineProvider({
  type: "open-router",
  summary: "OpenRouter.",
  baseUrl: "https://openrouter.ai/api/v1",
  takesBaseUrl: false,
  // The list of its models is public.
  trialPath: "/key",
});
