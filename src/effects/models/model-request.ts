import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelEffect } from "../../core/interpreter/program/model.ts";
import { limits } from "../../limits/index.ts";
import type { EffectContext } from "../effect-context.ts";
import type { CallWatch } from "../model-use.ts";
import { fetchForLibraries } from "../safe-fetch/fetch-for-libraries.ts";
import { askDify } from "./dify.ts";
import { tolerantFetch } from "./model-deviations.ts";
import { type FastPath, fetchPast } from "./model-fast-path.ts";
import { optionsOf, type RequestManner } from "./model-options.ts";
import type { ModelServer } from "./model-server.ts";
import type { ModelLanguage, Noticed } from "./model-words.ts";

export type CallContext = Pick<EffectContext, "safeStream" | "hops" | "idempotencyKey" | "onText" | "stopped"> & {
  readonly timeoutMs: number;
  /** False after a stream of the server could not be read. */
  readonly isStreamed: boolean;
  readonly manner: RequestManner;
  /** Called when a part of the answer's text arrives. */
  readonly watch?: Pick<CallWatch, "said">;
};

type Opened = Omit<CallContext, "onText" | "stopped" | "watch"> & {
  readonly signal: AbortSignal;
  /** Receives text that the library need not read. */
  readonly path: FastPath;
  /** Called with content that the AI SDK does not return. */
  notice(noticed: Noticed): void;
};

type Parts = AsyncIterable<LanguageModelV4StreamPart> | Iterable<LanguageModelV4StreamPart>;

/** Calls a model and returns the parts of the answer. The parts of a streamed answer are returned as they arrive. */
export async function openStream(
  effect: ModelEffect,
  server: ModelServer,
  { isStreamed, manner, signal, ...context }: Opened,
): Promise<Parts> {
  const call = callOf(server, context);
  if (effect.app) return askDify(effect.app, { ...server, query: effect.messages[0]?.content ?? "", signal, call });
  const model = await languageModel(effect, server, { ...context, signal, call });
  const options = { ...optionsOf(effect, manner), headers: Object.fromEntries(server.headers), abortSignal: signal };
  if (isStreamed) return (await model.doStream(options)).stream;
  const { content, finishReason, usage, providerMetadata, warnings } = await model.doGenerate(options);
  // The library returns a refusal as the text of a filtered answer.
  const isRefusal = finishReason.unified === "content-filter" && finishReason.raw === "stop";
  return [
    { type: "stream-start", warnings },
    ...content.flatMap((part, index): LanguageModelV4StreamPart[] => {
      if (part.type === "text" && isRefusal) context.notice({ refusal: part.text });
      else if (part.type === "text") return [{ type: "text-delta", id: "0", delta: part.text }];
      else if (part.type === "reasoning")
        return [{ ...part, type: "reasoning-delta", id: `${index}`, delta: part.text }];
      return part.type === "tool-call" ? [part] : [];
    }),
    { type: "finish", finishReason, usage, ...(providerMetadata && { providerMetadata }) },
  ];
}

function callOf(
  { trusted = "models" }: ModelServer,
  { safeStream, hops, idempotencyKey, timeoutMs, path }: Omit<Opened, "isStreamed" | "manner" | "signal">,
): Fetch {
  const firstByteMs = Math.min(limits.models.firstByteMs, timeoutMs);
  const silenceMs = Math.min(limits.models.silenceMs, timeoutMs);
  const times = { firstByteMs, silenceMs, timeoutMs };
  const { requestBytes: maxSentBytes } = limits.models;
  const { holdMs } = path;
  return fetchForLibraries(safeStream, {
    ...{ ...times, hops, idempotencyKey, trusted, keepsConnection: true, maxSentBytes, holdMs },
  });
}

/** Returns the library's model for the server's API. Libraries are loaded on first use. */
async function languageModel(
  effect: ModelEffect,
  server: ModelServer,
  { call, signal, path: ofWords, notice }: Pick<Opened, "signal" | "path" | "notice"> & { readonly call: Fetch },
): Promise<LanguageModelV4> {
  const { credentialsType: name, model } = effect;
  const { baseUrl, keys } = server;
  // If a schema is requested, a library may interpret text as other content.
  const path = effect.output ? undefined : ofWords;
  const speaking = (language: ModelLanguage) => asFetch(fetchPast(call, { language, path, notice }));
  const own = { baseURL: baseUrl, apiKey: keys[0] ?? "" };
  if (name === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ ...own, fetch: speaking("messages") }).languageModel(model);
  }
  if (effect.responses || isOfficialOpenAi(effect, { baseUrl })) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const provider = createOpenAI({ ...own, fetch: speaking(effect.responses ? "responses" : "chat") });
    return effect.responses ? provider.responses(model) : provider.chat(model);
  }
  return compatibleModel(effect, server, { signal, fetch: tolerantFetch(call, { path, notice }) });
}

/**
 * Returns a model of an OpenAI-compatible server. Models are cached because creating one takes 0.3 to 0.6 ms, five
 * times as long as a call (Bun 1.4.4): the library rebuilds its response schema.
 *
 * A cached model contains no data of a call. The key is in the call's own headers, and the call's `fetch` is found by
 * the call's signal.
 */
async function compatibleModel(
  { credentialsType: name, model }: ModelEffect,
  { baseUrl, apiVersion }: ModelServer,
  { signal, fetch }: { readonly signal: AbortSignal; readonly fetch: Fetch },
): Promise<LanguageModelV4> {
  fetches.set(signal, fetch);
  const key = JSON.stringify([name, model, baseUrl, apiVersion]);
  const kept = compatibleModels.get(key);
  if (kept) return kept;
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    fetch: asFetch(fetchOfCall),
    ...(apiVersion !== undefined && { queryParams: { "api-version": apiVersion } }),
    // Mistral rejects unknown fields and always reports token usage.
    includeUsage: name !== "mistral",
    supportsStructuredOutputs: true,
  });
  const made = provider.chatModel(model);
  if (compatibleModels.size >= mostKept) compatibleModels.clear();
  compatibleModels.set(key, made);
  return made;
}

const compatibleModels = new Map<string, LanguageModelV4>();

/**
 * The maximum number of cached models. A flow may build model names from visitors' input, so the number of names is
 * unlimited.
 */
const mostKept = 50;

const fetches = new WeakMap<AbortSignal, Fetch>();

const fetchOfCall: Fetch = (input, init) => {
  const fetch = init?.signal && fetches.get(init.signal);
  if (!fetch) throw new Error("A call of a model has no abort signal");
  return fetch(input, init);
};

type Fetch = ReturnType<typeof fetchForLibraries>;

/** Whether the server belongs to OpenAI and therefore supports more than compatible servers. */
export function isOfficialOpenAi(
  { credentialsType }: Pick<ModelEffect, "credentialsType">,
  { baseUrl }: Pick<ModelServer, "baseUrl">,
): boolean {
  return credentialsType === "openai" && new URL(baseUrl).hostname === "api.openai.com";
}

/** Bun's `fetch` also has `preconnect`, which libraries never call. */
function asFetch(call: ReturnType<typeof fetchForLibraries>): typeof fetch {
  return Object.assign(call, { preconnect: () => {} });
}
