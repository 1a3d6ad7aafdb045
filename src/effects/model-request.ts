import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelEffect } from "../interpreter/model.ts";
import { limits } from "../limits.ts";
import type { EffectContext } from "./effect-context.ts";
import { fetchForLibraries } from "./fetch-for-libraries.ts";
import { tolerantFetch } from "./model-deviations.ts";
import { type FastPath, fetchPast } from "./model-fast-path.ts";
import { optionsOf, type RequestManner } from "./model-options.ts";
import type { ModelServer } from "./model-server.ts";
import type { CallWatch } from "./model-use.ts";
import type { ModelLanguage } from "./model-words.ts";

export type CallContext = Pick<EffectContext, "safeStream" | "hops" | "onText" | "stopped"> & {
  readonly timeoutMs: number;
  /** False for servers whose streams cannot be read. */
  readonly isStreamed: boolean;
  readonly manner: RequestManner;
  /** Is told when some of the answer is there. */
  readonly watch?: Pick<CallWatch, "said">;
};

type Opened = Omit<CallContext, "onText" | "stopped" | "watch"> & {
  readonly signal: AbortSignal;
  /** For words of the answer that the library need not read. */
  readonly path: FastPath;
};

type Parts = AsyncIterable<LanguageModelV4StreamPart> | Iterable<LanguageModelV4StreamPart>;

/** Asks a model, and gives the parts of its answer as they come. */
export async function openStream(
  effect: ModelEffect,
  server: ModelServer,
  { isStreamed, manner, signal, ...context }: Opened,
): Promise<Parts> {
  const model = await languageModel(effect, server, context);
  const options = { ...optionsOf(effect, manner), abortSignal: signal };
  if (isStreamed) return (await model.doStream(options)).stream;
  const { content, finishReason, usage, providerMetadata } = await model.doGenerate(options);
  return [
    ...content.flatMap((part): LanguageModelV4StreamPart[] => {
      if (part.type === "text") return [{ type: "text-delta", id: "0", delta: part.text }];
      return part.type === "tool-call" ? [part] : [];
    }),
    { type: "finish", finishReason, usage, ...(providerMetadata && { providerMetadata }) },
  ];
}

/** The model in the language of its server. Libraries are loaded with the first call of a process. */
async function languageModel(
  effect: ModelEffect,
  { baseUrl, headers, apiVersion, keys }: ModelServer,
  { safeStream, hops, timeoutMs, path: ofWords }: Pick<Opened, "safeStream" | "hops" | "timeoutMs" | "path">,
): Promise<LanguageModelV4> {
  const { credentialsType: name, model } = effect;
  const firstByteMs = Math.min(limits.models.firstByteMs, timeoutMs);
  const silenceMs = Math.min(limits.models.silenceMs, timeoutMs);
  const times = { firstByteMs, silenceMs, timeoutMs };
  const { requestBytes: maxSentBytes } = limits.models;
  const { holdMs } = ofWords;
  const call = fetchForLibraries(safeStream, { ...times, hops, mayReachModelServers: true, maxSentBytes, holdMs });
  // Where a shape is asked for, a library may take words for something else.
  const path = effect.output ? undefined : ofWords;
  const speaking = (language: ModelLanguage) => asFetch(path ? fetchPast(call, { language, path }) : call);
  const server = { baseURL: baseUrl, headers: Object.fromEntries(headers) };
  const apiKey = keys[0] ?? "";
  if (name === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ ...server, apiKey, fetch: speaking("messages") }).languageModel(model);
  }
  if (effect.responses || isOfficialOpenAi(effect, { baseUrl })) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const provider = createOpenAI({ ...server, apiKey, fetch: speaking(effect.responses ? "responses" : "chat") });
    return effect.responses ? provider.responses(model) : provider.chat(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name,
    ...server,
    fetch: asFetch(tolerantFetch(call, path)),
    ...(apiVersion !== undefined && { queryParams: { "api-version": apiVersion } }),
    // Mistral refuses fields that it does not know, and tells the usage in any case.
    includeUsage: name !== "mistral",
    supportsStructuredOutputs: true,
  });
  return provider.chatModel(model);
}

/** OpenAI's own server, which knows more than those that speak its language. */
export function isOfficialOpenAi(
  { credentialsType }: Pick<ModelEffect, "credentialsType">,
  { baseUrl }: Pick<ModelServer, "baseUrl">,
): boolean {
  return credentialsType === "openai" && new URL(baseUrl).hostname === "api.openai.com";
}

/** Bun's `fetch` has `preconnect`, too, which nobody calls. */
function asFetch(call: ReturnType<typeof fetchForLibraries>): typeof fetch {
  return Object.assign(call, { preconnect: () => {} });
}
