import { defineProvider } from "./kind.ts";

export const togetherAi = defineProvider({
  type: "together-ai",
  summary: "Together AI.",
  baseUrl: "https://api.together.xyz/v1",
  takesBaseUrl: false,
});
