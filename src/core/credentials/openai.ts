import { defineProvider } from "./kind.ts";

export const openai = defineProvider({
  type: "openai",
  summary: "OpenAI, or any server that speaks its language: Azure, Ollama, vLLM, LM Studio …",
  baseUrl: "https://api.openai.com/v1",
  takesBaseUrl: true,
  headersOf: (key, baseUrl) => (isAzure(baseUrl) ? [["api-key", key]] : [["Authorization", `Bearer ${key}`]]),
  otherModelsUrl(baseUrl) {
    if (!isAzure(baseUrl)) return undefined;
    return `${new URL(baseUrl).origin}/openai/models?api-version=${azureVersion}`;
  },
});

/** The version of Azure's API that its models are listed by. */
const azureVersion = "2024-10-21";

function isAzure(baseUrl: string): boolean {
  return new URL(baseUrl).hostname.endsWith(".openai.azure.com");
}
