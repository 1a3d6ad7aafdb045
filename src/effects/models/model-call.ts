import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4Warning } from "@ai-sdk/provider";
import { cleanText } from "../../core/interpreter/language/values.ts";
import type { ModelAnswer, ModelCall, ModelEffect } from "../../core/interpreter/program/model.ts";
import { limits } from "../../limits/index.ts";
import { billed, charactersIn, estimatedTokens } from "../model-tokens.ts";
import { createEchoReader, echoSource } from "./model-echo.ts";
import { type FailedTry, failed, failedTry } from "./model-failures.ts";
import { createFastPath } from "./model-fast-path.ts";
import { lessTemperature, noTemperature } from "./model-manners.ts";
import { type CallContext, openStream } from "./model-request.ts";
import type { ModelServer } from "./model-server.ts";
import { createAnswerText } from "./model-text.ts";
import type { Noticed, NoticedTokens } from "./model-words.ts";

/** The outcome of one attempt. */
export type Try =
  /** A successful attempt. `notes`: sentences for the author. */
  { readonly kind: "answered"; readonly answer: ModelAnswer; readonly notes: readonly string[] } | FailedTry;

export async function callModel(effect: ModelEffect, server: ModelServer, context: CallContext): Promise<Try> {
  const { stopped, onText, watch, ...asked } = context;
  if (stopped?.aborted) return { kind: "answered", answer: notAsked, notes: [] };
  const abort = new AbortController();
  const signal = stopped ? AbortSignal.any([abort.signal, stopped]) : abort.signal;
  const reading = createReading(echoSource(effect, server));
  let isFull = false;
  const emit = (words: string): void => {
    if (words === "" || isFull) return;
    watch?.said();
    isFull = reading.text().length > limits.models.answerCharacters;
    onText?.(isFull ? words.slice(0, limits.models.answerCharacters - reading.text().length) : words);
    if (isFull) abort.abort();
  };
  const path = createFastPath((words) => emit(reading.readWords(words)));
  try {
    const stream = await openStream(effect, server, { ...asked, signal, path, notice: reading.notice });
    for await (const part of stream) {
      if (part.type === "text-delta") path.heard(part.delta);
      emit(reading.read(part));
      if (isFull) break;
    }
  } catch (error) {
    if (isFull) return answered(effect, reading, { ended: "length" });
    if (stopped?.aborted) return answered(effect, reading, { ended: "stopped" });
    // If a visitor may already have read a part of the answer, that part remains the answer.
    const tried = failedTry(error);
    if (reading.text() !== "") return answered(effect, reading, { ended: "cut", ...saidIn(tried) });
    return withTokens(tried, effect, reading);
  }
  if (isFull) return answered(effect, reading, { ended: "length" });
  if (stopped?.aborted) return answered(effect, reading, { ended: "stopped" });
  const ended = reading.ended();
  if (ended === "tools") return answered(effect, reading, { ended });
  if (reading.text() !== "") return answered(effect, reading, { ended });
  return withTokens(failureOf(ended, reading.refusal()), effect, reading);
}

/** Returns the failure if the provider has explained it with a status. A broken connection has no status. */
function saidIn({ failure }: FailedTry): Pick<ModelAnswer, "failure"> {
  return failure.status === undefined ? {} : { failure };
}

/** Returns the failure for an answer without text. */
function failureOf(ended: ModelAnswer["ended"], refusal: string): FailedTry {
  if (refusal !== "") return failed("withheld", { details: refusal });
  if (ended === "length") return failed("spent", {});
  return ended === "filtered" ? failed("withheld", {}) : failed("empty", { isRetryable: true });
}

/** The answer for a call that was stopped before it was made. */
const notAsked: ModelAnswer = {
  text: "",
  ended: "stopped",
  tokens: { in: 0, cached: 0, out: 0, isEstimated: false },
};

const tooMuchThought = "The model's reasoning before its tool calls is too long to send back to the model";

/** Assembles an answer from its parts. */
function createReading(from: string) {
  const words = createAnswerText();
  const wanted = createEchoReader(from);
  const calls: ModelCall[] = [];
  let text = "";
  const add = (words: string): string => {
    text += words;
    return words;
  };
  let ended: ModelAnswer["ended"] = "cut";
  let refusal = "";
  let notes: readonly string[] = [];
  let reportedTokens: NoticedTokens = {};
  let responseId: string | undefined;
  return {
    /** Returns the text that can already be displayed. */
    readWords: (more: string): string => add(words.push(more)),
    /** Like `readWords`, for a part of the stream. Reasoning is never displayed and is kept only for this turn. */
    read(part: LanguageModelV4StreamPart): string {
      wanted.read(part);
      switch (part.type) {
        case "stream-start":
          notes = part.warnings.flatMap(noteOf);
          return "";
        case "text-delta":
          responseId = idIn(part.providerMetadata?.["dify"]) ?? responseId;
          return add(words.push(part.delta));
        case "tool-call":
          if (!part.providerExecuted) calls.push(callOf(part));
          return "";
        case "finish":
          ended = endings[part.finishReason.unified];
          reportedTokens = reportedAtEnd(part.usage, reportedTokens);
          responseId = idIn(part.providerMetadata?.["openai"] ?? part.providerMetadata?.["dify"]) ?? responseId;
          return add(words.end());
        case "error":
          throw part.error;
        default:
          return "";
      }
    },
    text: () => text,
    /**
     * Returns how the answer ended. Tool calls take precedence, because some servers send `stop` or no reason after
     * them.
     */
    ended: (): ModelAnswer["ended"] => (calls.length > 0 ? "tools" : refusal !== "" ? "filtered" : ended),
    calls: (): readonly ModelCall[] => (wanted.isTooLarge() ? calls : calls.map(wanted.withEcho)),
    wanted,
    /** The token usage that the provider has reported so far. */
    reportedTokens: () => reportedTokens,
    refusal: () => refusal,
    notes: () => notes,
    notice({ refusal: more, tokens }: Noticed): void {
      refusal += cleanText(more ?? "").slice(0, limits.credentials.sentenceCharacters - refusal.length);
      reportedTokens = { ...reportedTokens, ...tokens };
    },
    responseId: () => responseId,
  };
}

type Reading = ReturnType<typeof createReading>;

/** Merges the reported token usage. A provider may have reported numbers earlier that its library omits at the end. */
function reportedAtEnd({ inputTokens, outputTokens }: LanguageModelV4Usage, before: NoticedTokens): NoticedTokens {
  return {
    ...before,
    ...(inputTokens.total !== undefined && { in: inputTokens.total }),
    ...(inputTokens.cacheRead !== undefined && { cached: inputTokens.cacheRead }),
    ...(outputTokens.total !== undefined && { out: outputTokens.total }),
  };
}

/** Returns a note if a library removed or lowered the temperature of a request. */
function noteOf(warning: SharedV4Warning): string[] {
  if (warning.type !== "unsupported" || warning.feature !== "temperature") return [];
  return [/clamped/.test(warning.details ?? "") ? lessTemperature : noTemperature];
}

function idIn(metadata: Record<string, unknown> | undefined): string | undefined {
  const id = metadata?.["responseId"];
  return typeof id === "string" ? id : undefined;
}

function callOf({ toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: string }): ModelCall {
  return { id: toolCallId, name: toolName, arguments: input.length > limits.models.argumentCharacters ? null : input };
}

/** For an unclear ending, the result is `cut`, because the rest of the answer is unknown. */
const endings = {
  stop: "stop",
  length: "length",
  "content-filter": "filtered",
  "tool-calls": "stop",
  error: "cut",
  interrupted: "cut",
  other: "cut",
} as const;

type Ending = Pick<ModelAnswer, "ended" | "failure">;

function answered(effect: ModelEffect, reading: Reading, { ended, failure }: Ending): Try {
  const reportedTokens = reading.reportedTokens();
  const text = reading.text().slice(0, limits.models.answerCharacters);
  const calls = ended === "tools" ? reading.calls() : [];
  const called = calls.reduce((sum, call) => sum + (call.arguments?.length ?? 0), 0);
  const tokens = {
    in: reportedTokens.in ?? estimatedTokens(charactersIn(effect)),
    cached: reportedTokens.cached ?? 0,
    out: reportedTokens.out ?? estimatedTokens(text.length + called),
    isEstimated: reportedTokens.in === undefined || reportedTokens.out === undefined,
  };
  const id = reading.responseId();
  const { wanted } = reading;
  const echo = calls.length > 0 && !wanted.isTooLarge() ? wanted.echo() : undefined;
  const answer = {
    text,
    ...(calls.length > 0 && { calls }),
    ...(echo && { echo }),
    ended,
    ...(failure && { failure }),
    tokens,
    ...((effect.responses || effect.app) && id !== undefined && { responseId: id }),
  };
  const isLost = calls.length > 0 && wanted.isTooLarge();
  return { kind: "answered", answer, notes: [...reading.notes(), ...(isLost ? [tooMuchThought] : [])] };
}

/**
 * Adds tokens to a failed attempt: the tokens that the provider reported, or otherwise an estimate if the provider may
 * charge for the attempt.
 */
function withTokens(tried: FailedTry, effect: ModelEffect, reading: Reading): FailedTry {
  const { in: read, cached = 0, out = 0 } = reading.reportedTokens();
  if (read !== undefined) return { ...tried, tokens: { in: read, cached, out, isEstimated: false } };
  const { reason, status } = tried.failure;
  if (!billed.has(reason) || status !== undefined) return tried;
  return { ...tried, tokens: { in: estimatedTokens(charactersIn(effect)), cached: 0, out, isEstimated: true } };
}
