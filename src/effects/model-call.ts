import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Effect, ModelAnswer, ModelFailure } from "../interpreter/effect.ts";
import { limits } from "../limits.ts";
import { sentenceIn } from "./ask-provider.ts";
import type { EffectContext } from "./effect-context.ts";
import { fetchForLibraries } from "./fetch-for-libraries.ts";
import { FailedCall, RefusedCall } from "./safe-fetch.ts";

/** Where a model is called, and what carries the key. */
export type ModelServer = {
  readonly baseUrl: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Azure's. */
  readonly apiVersion?: string;
  /** What must never be told. */
  readonly keys: readonly string[];
};

/** What one try came to. */
export type Try =
  | { readonly kind: "answered"; readonly answer: ModelAnswer }
  | {
      readonly kind: "failed";
      readonly failure: ModelFailure;
      readonly isRetryable: boolean;
      readonly retryAfterMs?: number;
    };

type ModelEffect = Extract<Effect, { kind: "model" }>;

type CallContext = Pick<EffectContext, "safeStream" | "hops"> & {
  readonly timeoutMs: number;
  /** False for servers whose streams cannot be read. */
  readonly isStreamed: boolean;
};

/** Calls a model once. The library is loaded with the first call of a process. */
export async function callModel(effect: ModelEffect, server: ModelServer, context: CallContext): Promise<Try> {
  const abort = new AbortController();
  const reading: Reading = { text: "", ended: undefined, usage: undefined };
  try {
    const stream = await openStream(effect, server, { ...context, signal: abort.signal });
    for await (const part of stream) {
      read(reading, part);
      if (reading.text.length <= limits.models.answerCharacters) continue;
      abort.abort();
      return answered(effect, {
        ...reading,
        text: reading.text.slice(0, limits.models.answerCharacters),
        ended: "length",
      });
    }
  } catch (error) {
    // What a visitor may have read already stays the answer.
    if (reading.text !== "") return answered(effect, { ...reading, ended: "cut" });
    return failedTry(error);
  }
  if (reading.ended === "filtered" && reading.text === "") {
    return { kind: "failed", failure: { reason: "withheld" }, isRetryable: false };
  }
  return withoutThinking(reading.text) === ""
    ? { kind: "failed", failure: { reason: "empty" }, isRetryable: true }
    : answered(effect, reading);
}

type Reading = { text: string; ended: ModelAnswer["ended"] | undefined; usage: LanguageModelV4Usage | undefined };

async function openStream(
  { credentialsType: name, model, messages, temperature, maxTokens }: ModelEffect,
  { baseUrl, headers, apiVersion }: ModelServer,
  { safeStream, hops, timeoutMs, isStreamed, signal }: CallContext & { signal: AbortSignal },
): Promise<AsyncIterable<LanguageModelV4StreamPart> | Iterable<LanguageModelV4StreamPart>> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const firstByteMs = Math.min(limits.models.firstByteMs, timeoutMs);
  const silenceMs = Math.min(limits.models.silenceMs, timeoutMs);
  const times = { firstByteMs, silenceMs, timeoutMs };
  const provider = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    headers: Object.fromEntries(headers),
    ...(apiVersion !== undefined && { queryParams: { "api-version": apiVersion } }),
    fetch: asFetch(fetchForLibraries(safeStream, { ...times, hops, mayReachModelServers: true })),
    // Mistral refuses fields that it does not know, and tells the usage in any case.
    includeUsage: name !== "mistral",
  });
  const options: LanguageModelV4CallOptions = {
    prompt: messages.map(({ role, content }): LanguageModelV4Prompt[number] =>
      role === "system" ? { role, content } : { role, content: [{ type: "text", text: content }] },
    ),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    abortSignal: signal,
  };
  if (isStreamed) return (await provider.chatModel(model).doStream(options)).stream;
  const { content, finishReason, usage } = await provider.chatModel(model).doGenerate(options);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return [
    { type: "text-delta", id: "0", delta: text },
    { type: "finish", finishReason, usage },
  ];
}

/** Bun's `fetch` has `preconnect`, too, which nobody calls. */
function asFetch(call: ReturnType<typeof fetchForLibraries>): typeof fetch {
  return Object.assign(call, { preconnect: () => {} });
}

function read(reading: Reading, part: LanguageModelV4StreamPart): void {
  switch (part.type) {
    case "text-delta":
      reading.text += part.delta;
      return;
    case "finish":
      reading.ended = endings[part.finishReason.unified];
      reading.usage = part.usage;
      return;
    case "error":
      throw part.error;
    default:
      // Reasoning is never shown nor kept.
      return;
  }
}

/** Whatever is no ending that the provider gave is a cut: nobody knows what was still to come. */
const endings = {
  stop: "stop",
  length: "length",
  "content-filter": "filtered",
  "tool-calls": "stop",
  error: "cut",
  interrupted: "cut",
  other: "cut",
} as const;

function answered(effect: ModelEffect, { text, ended = "cut", usage }: Reading): Try {
  const own = withoutThinking(text);
  const told = { in: usage?.inputTokens.total, out: usage?.outputTokens.total };
  const sent = effect.messages.reduce((sum, { content }) => sum + content.length, 0);
  const tokens = {
    in: told.in ?? estimatedTokens(sent),
    cached: usage?.inputTokens.cacheRead ?? 0,
    out: told.out ?? estimatedTokens(text.length),
    isEstimated: told.in === undefined || told.out === undefined,
  };
  return { kind: "answered", answer: { text: own, ended, tokens } };
}

function estimatedTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** Some servers give reasoning as the beginning of the text. */
function withoutThinking(text: string): string {
  const from = text.trimStart();
  if (!from.startsWith("<think>")) return text;
  const end = from.indexOf("</think>");
  return end < 0 ? "" : from.slice(end + "</think>".length).trimStart();
}

function failedTry(error: unknown): Try {
  const call = inCauses(error, (one) => one instanceof RefusedCall || one instanceof FailedCall);
  if (call instanceof RefusedCall) return failed("address", { details: call.message });
  if (call instanceof FailedCall) {
    if (call.kind === "timeout") return failed("time", { isRetryable: true });
    // An answer that is none of a model: the same call would come to the same.
    const isAnswer = call.kind === "answer";
    return failed(isAnswer ? "unreadable" : "unreachable", { details: call.message, isRetryable: !isAnswer });
  }
  const answer = inCauses(error, (one) => one instanceof Error && "statusCode" in one);
  if (isApiError(answer)) return failedAnswer(answer);
  // A stream that cannot be read, or an error in it: it may be told as a text, or as an object with a message.
  const said = sentenceIn(typeof error === "string" ? error : (JSON.stringify(error) ?? ""));
  return failed("unreadable", { details: said, isRetryable: true });
}

type ApiError = { statusCode?: number; responseBody?: string; responseHeaders?: Record<string, string> };

function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && "statusCode" in error;
}

function failedAnswer({ statusCode: status = 0, responseBody = "", responseHeaders }: ApiError): Try {
  if (status >= 200 && status < 300) return failed("unreadable", { isRetryable: true });
  const details = sentenceIn(responseBody);
  const isTooLong = status === 413 || (status === 400 && /context|too long|maximum.{0,40}tokens/i.test(details));
  const reason = isTooLong ? "too long" : (reasons.get(status) ?? (status >= 500 ? "overloaded" : "refused"));
  const isRetryable = status === 408 || status === 409 || status === 429 || status >= 500;
  const seconds = Number(responseHeaders?.["retry-after"]);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return failed(reason, {
    status,
    details,
    isRetryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

const reasons = new Map<number, ModelFailure["reason"]>([
  [401, "key"],
  [402, "credit"],
  [403, "key"],
  [404, "model"],
  [408, "time"],
  [429, "requests"],
]);

function failed(
  reason: ModelFailure["reason"],
  more: { status?: number; details?: string; isRetryable?: boolean; retryAfterMs?: number },
): Try {
  const { status, details, isRetryable = false, retryAfterMs } = more;
  return {
    kind: "failed",
    failure: { reason, ...(status !== undefined && { status }), ...(details && { details }) },
    isRetryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** The first error among this one and its causes that `is` finds. */
function inCauses(error: unknown, is: (error: unknown) => boolean): unknown {
  let here = error;
  for (let depth = 0; depth < 8 && here !== undefined && here !== null; depth++) {
    if (is(here)) return here;
    here = here instanceof Error ? here.cause : undefined;
  }
  return undefined;
}
