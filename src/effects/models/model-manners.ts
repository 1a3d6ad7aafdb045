import type { ModelEffect, ModelMessage, ModelPart } from "../../core/interpreter/program/model.ts";
import { hasEcho } from "../../core/interpreter/program/model-echo.ts";
import { limits } from "../../limits/index.ts";
import type { FailedTry } from "./model-failures.ts";
import type { RequestManner } from "./model-options.ts";

/** An alternative variant of a rejected request. */
export type OtherManner = {
  readonly asked?: ModelEffect;
  readonly manner?: RequestManner;
  /** A note for the author about how the request differs from the flow. */
  readonly note?: string;
};

type Refused = {
  readonly asked: ModelEffect;
  readonly manner: RequestManner;
  readonly tried: FailedTry;
  /** The notes about the variants that were tried before. */
  readonly notes: readonly string[];
};

/**
 * Returns an alternative variant of a rejected request, or undefined if there is none. The accepted variant is found by
 * trial because a list of models would soon be outdated. The variant suggested by the error message comes first,
 * followed by variants for requests that models are known to reject.
 */
export function otherManner(refused: Refused): OtherManner | undefined {
  for (const way of ways) {
    const found = way(refused);
    if (found) return found;
  }
  return undefined;
}

export const noTemperature = "The model does not support a temperature, which was left out";
export const lessTemperature = "The temperature is higher than the model allows, so the maximum was sent";
/** Notes about an author's settings rather than about events in a chat. */
export const aboutTheFlow: ReadonlySet<string> = new Set([noTemperature, lessTemperature]);
export const noPictures = "The model does not accept images: their addresses stay text";
const trimmed = "Max tokens limit reached, automatically trimming first message.";

const ways: readonly ((refused: Refused) => OtherManner | undefined)[] = [
  function withoutPreviousResponse({ asked, tried }) {
    const { status, details = "" } = tried.failure;
    const isLost = (status === 400 || status === 404) && /previous.?response/i.test(details);
    if (asked.responses?.previousResponseId === undefined || !isLost) return undefined;
    const { previousResponseId: _, ...responses } = asked.responses;
    const note = "The provider no longer has the previous response: the model was called without it";
    return { asked: { ...asked, responses }, note };
  },
  function inNewConversation({ asked, tried }) {
    const { status, details = "" } = tried.failure;
    if (asked.app?.conversationId === undefined || status !== 404 || !/conversation/i.test(details)) return undefined;
    const { conversationId: _, ...app } = asked.app;
    const note = "The provider no longer has the conversation: a new conversation was started";
    return { asked: { ...asked, app }, note };
  },
  function coldly({ asked, tried }) {
    if (asked.temperature === undefined || !isRefusal(tried, /temperature/i)) return undefined;
    return { asked: withoutTemperature(asked), note: noTemperature };
  },
  function asTurns({ asked, tried }) {
    const messages = joinedNeighbours(asked.messages);
    if (messages.length === asked.messages.length || !isRefusal(tried, /alternat/i)) return undefined;
    return { asked: { ...asked, messages } };
  },
  /** Requests at most the number of tokens that the model's error message allows, if the author has set no maximum. */
  function withFewerTokens({ asked, tried }) {
    const [, most] = /max_tokens: \d+ > (\d+)/.exec(tried.failure.details ?? "") ?? [];
    if (asked.maxTokens !== undefined || most === undefined || Number(most) < 1) return undefined;
    return { asked: { ...asked, maxTokens: Number(most) } };
  },
  function withoutReasoning({ manner, tried }) {
    if (!manner.asksReasoning || !isRefusal(tried, /encrypted.?content/i)) return undefined;
    return { manner: { ...manner, asksReasoning: false } };
  },
  function withoutFiles({ manner, tried }) {
    // OpenRouter answers 404 if no model that accepts pictures is available.
    const isUnknown = tried.failure.status === 404 && /image/i.test(tried.failure.details ?? "");
    if (manner.files.size === 0 || !(isUnknown || isRefusal(tried))) return undefined;
    return { manner: { ...manner, files: new Map() }, note: noPictures };
  },
  /** Removes reasoning from the request, because some servers send reasoning but reject it in requests. */
  function withoutEcho({ asked, manner, tried }) {
    const { echoTo, ...rest } = manner;
    if (echoTo === undefined || !hasEcho(asked.messages, echoTo) || !isRefusal(tried)) return undefined;
    return { manner: rest };
  },
  function withLessOfAShape({ asked, manner, tried }) {
    if (!asked.output || manner.output === "words" || !isRefusal(tried)) return undefined;
    return { manner: { ...manner, output: manner.output === "schema" ? "json" : "words" } };
  },
  function withoutOldestMessage({ asked, tried, notes }) {
    const { reason, status } = tried.failure;
    const isTooMuch = reason === "too long" || (asked.isTrimmedWhenRefused === true && status === 400);
    const mayTrim = isTooMuch && notes.filter((note) => note === trimmed).length < limits.models.trims;
    const messages = mayTrim ? withoutOldest(asked.messages) : undefined;
    return messages && { asked: { ...asked, messages }, note: trimmed };
  },
];

/**
 * Merges adjacent messages with the same role, separated by an empty line. Tool results and messages after tool calls
 * are not merged.
 */
export function joinedNeighbours(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const both = joinedPair(joined.at(-1), message);
    if (both) joined.pop();
    joined.push(both ?? message);
  }
  return joined;
}

function joinedPair(before: ModelMessage | undefined, message: ModelMessage): ModelMessage | undefined {
  if (before === undefined || before.role === "tool") return undefined;
  const content = `${before.content}\n\n${message.content}`;
  if (before.role === "system" && message.role === "system") return { role: "system", content };
  if (before.role === "assistant" && message.role === "assistant" && !before.calls) return { ...message, content };
  if (before.role !== "user" || message.role !== "user") return undefined;
  const parts = [before, message].flatMap((one): readonly ModelPart[] => one.parts ?? [{ text: one.content }]);
  return { role: "user", content, ...((before.parts || message.parts) && { parts }) };
}

export function withoutTemperature({ temperature: _, ...asked }: ModelEffect): ModelEffect {
  return asked;
}

/**
 * Whether the request itself was rejected, rather than the account, the model or the content. If `sentence` is given,
 * the error message must match the pattern.
 */
function isRefusal({ failure: { reason, status, details = "" } }: FailedTry, sentence?: RegExp): boolean {
  const isRequest = reason === "refused" || reason === "too long";
  return isRequest && (status === 400 || status === 422) && (sentence?.test(details) ?? true);
}

/**
 * Removes the oldest messages after the leading system messages, up to the next user message. Providers reject an
 * answer without its question, or tool results without their call. Returns undefined if no user message would remain.
 */
function withoutOldest(messages: readonly ModelMessage[]): ModelMessage[] | undefined {
  const first = messages.findIndex(({ role }) => role !== "system");
  const next = messages.findIndex(({ role }, index) => index > first && role === "user");
  return first < 0 || next < 0 ? undefined : [...messages.slice(0, first), ...messages.slice(next)];
}
