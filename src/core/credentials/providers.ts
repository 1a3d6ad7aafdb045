import { type CredentialsKind, defineProvider } from "./kind.ts";

export const providers: readonly CredentialsKind[] = [
  defineProvider({
    type: "openai",
    name: "OpenAI",
    summary: "Models of OpenAI, or of any server with the same API, such as Azure, Ollama, vLLM or LM Studio.",
    baseUrl: "https://api.openai.com/v1",
    takesBaseUrl: true,
    headersOf: (key, baseUrl) => (isAzure(baseUrl) ? [["api-key", key]] : [["Authorization", `Bearer ${key}`]]),
    otherModelsUrl(baseUrl) {
      if (!isAzure(baseUrl)) return undefined;
      return `${new URL(baseUrl).origin}/openai/models?api-version=${azureVersion}`;
    },
  }),
  defineProvider({
    type: "anthropic",
    name: "Anthropic",
    summary: "Models of Anthropic.",
    baseUrl: "https://api.anthropic.com/v1",
    takesBaseUrl: false,
    headersOf: (key) => [
      ["x-api-key", key],
      ["anthropic-version", "2023-06-01"],
    ],
    modelsPath: "/models?limit=1000",
  }),
  defineProvider({
    type: "mistral",
    name: "Mistral",
    summary: "Models of Mistral.",
    baseUrl: "https://api.mistral.ai/v1",
    takesBaseUrl: false,
  }),
  defineProvider({
    type: "groq",
    name: "Groq",
    summary: "Models of Groq.",
    baseUrl: "https://api.groq.com/openai/v1",
    takesBaseUrl: true,
  }),
  defineProvider({
    type: "deepseek",
    name: "DeepSeek",
    summary: "Models of DeepSeek.",
    baseUrl: "https://api.deepseek.com",
    takesBaseUrl: true,
  }),
  defineProvider({
    type: "perplexity",
    name: "Perplexity",
    summary: "Models of Perplexity.",
    baseUrl: "https://api.perplexity.ai",
    takesBaseUrl: true,
    trialPath: "/async/chat/completions",
    modelsPath: null,
  }),
  defineProvider({
    type: "open-router",
    name: "OpenRouter",
    summary: "Models of OpenRouter.",
    baseUrl: "https://openrouter.ai/api/v1",
    takesBaseUrl: false,
    // The provider's list of models is public, so it cannot be used to test a key.
    trialPath: "/key",
  }),
  defineProvider({
    type: "together-ai",
    name: "Together AI",
    summary: "Models of Together AI.",
    baseUrl: "https://api.together.xyz/v1",
    takesBaseUrl: false,
  }),
];

export function nameOfProvider(type: string): string {
  const provider = providers.find((one) => one.type === type);
  if (!provider) throw new Error(`There is no provider "${type}"`);
  return provider.name;
}

/** The version of Azure's API for listing models. */
const azureVersion = "2024-10-21";

function isAzure(baseUrl: string): boolean {
  return new URL(baseUrl).hostname.endsWith(".openai.azure.com");
}
