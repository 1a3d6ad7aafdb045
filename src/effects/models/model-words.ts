import { isJsonObject, type JsonObject, valueAt } from "../../core/interpreter/flow.ts";

/** The API of a server: chat completions, Anthropic's Messages API, or OpenAI's Responses API. */
export type ModelLanguage = "chat" | "messages" | "responses";

/**
 * Returns the text of an event that contains nothing else. Returns undefined for any other event, including events with
 * unknown fields.
 */
export const wordsIn: Readonly<Record<ModelLanguage, (event: JsonObject) => string | undefined>> = {
  chat(event) {
    const { choices, id, created, model } = event;
    if (!hasOnly(event, chatFields) || !isNothing(event["usage"])) return undefined;
    if (!isTextOrNothing(id) || !isTextOrNothing(model)) return undefined;
    if (!isNothing(created) && typeof created !== "number") return undefined;
    const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
    if (!isJsonObject(choice) || choice["index"] !== 0 || !hasOnly(choice, choiceFields)) return undefined;
    if (!isNothing(choice["finish_reason"]) || !isNothing(choice["logprobs"])) return undefined;
    const { delta } = choice;
    if (!isJsonObject(delta) || !hasOnly(delta, deltaFields)) return undefined;
    const { content, role, refusal, tool_calls: called } = delta;
    const isWords = isNothing(refusal) && isNothing(called) && (isNothing(role) || role === "assistant");
    return isWords && typeof content === "string" ? content : undefined;
  },
  messages(event) {
    const { type, index, delta } = event;
    if (type !== "content_block_delta" || typeof index !== "number" || !hasOnly(event, blockFields)) return undefined;
    if (!isJsonObject(delta) || delta["type"] !== "text_delta" || !hasOnly(delta, textFields)) return undefined;
    const { text } = delta;
    return typeof text === "string" ? text : undefined;
  },
  responses(event) {
    const { type, item_id: item, output_index: index, delta, logprobs } = event;
    if (type !== "response.output_text.delta" || typeof item !== "string" || !hasOnly(event, outputFields)) return;
    if (!isNothing(index) && typeof index !== "number") return undefined;
    const hasLogprobs = !isNothing(logprobs) && !(Array.isArray(logprobs) && logprobs.length === 0);
    return !hasLogprobs && typeof delta === "string" ? delta : undefined;
  },
};

/** Event content that libraries drop or report only at the end of the answer. */
export type Noticed = {
  /** The text with which the model refuses to answer. */
  readonly refusal?: string | undefined;
  /** The token usage of the call so far. */
  readonly tokens?: NoticedTokens | undefined;
};

export type NoticedTokens = { readonly in?: number; readonly cached?: number; readonly out?: number };

export const noticedIn: Readonly<Record<ModelLanguage, (event: JsonObject) => Noticed>> = {
  chat: (event) => ({ refusal: wordsAt(refusingDelta(event), "refusal"), tokens: tokensOfChat(event["usage"]) }),
  messages(event) {
    const usage = event["type"] === "message_start" ? valueAt(event, "message", "usage") : event["usage"];
    return { tokens: tokensOfMessage(usage, { isWhole: event["type"] === "message_delta" }) };
  },
  responses: (event) => ({
    refusal: event["type"] === refusing ? wordsAt(event, "delta") : undefined,
    tokens: tokensOfResponse(valueAt(event, "response", "usage")),
  }),
};

/** Removes the refusal from an event, because a library would return the refusal as part of the answer. */
export function withoutRefusal(event: JsonObject): JsonObject {
  if (event["type"] === refusing) return { ...event, delta: "" };
  const delta = refusingDelta(event);
  if (wordsAt(delta, "refusal") === undefined) return event;
  const { choices } = event;
  const [choice] = Array.isArray(choices) ? choices : [];
  return { ...event, choices: [{ ...choice, delta: { ...delta, refusal: null } }] };
}

/** The event type of a refusal in the Responses API. */
const refusing = "response.refusal.delta";

function refusingDelta({ choices }: JsonObject): JsonObject | undefined {
  const delta = Array.isArray(choices) ? valueAt(choices[0], "delta") : undefined;
  return isJsonObject(delta) ? delta : undefined;
}

function wordsAt(value: JsonObject | undefined, name: string): string | undefined {
  const words = value?.[name];
  return typeof words === "string" && words !== "" ? words : undefined;
}

function tokensOfChat(usage: unknown): NoticedTokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  return counted({
    in: usage["prompt_tokens"],
    cached: valueAt(usage, "prompt_tokens_details", "cached_tokens"),
    out: usage["completion_tokens"],
  });
}

/**
 * Returns the token usage, if any, of an event in Anthropic's Messages API. The first event reports the input tokens
 * and the last event reports the output tokens.
 */
function tokensOfMessage(usage: unknown, { isWhole }: { isWhole: boolean }): NoticedTokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { input_tokens: read, cache_read_input_tokens: cached, cache_creation_input_tokens: kept } = usage;
  const all = [read, cached, kept].reduce<number>((sum, one) => sum + (typeof one === "number" ? one : 0), 0);
  return counted({ in: typeof read === "number" ? all : undefined, cached, out: isWhole && usage["output_tokens"] });
}

function tokensOfResponse(usage: unknown): NoticedTokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  return counted({
    in: usage["input_tokens"],
    cached: valueAt(usage, "input_tokens_details", "cached_tokens"),
    out: usage["output_tokens"],
  });
}

function counted(reported: Readonly<Record<"in" | "cached" | "out", unknown>>): NoticedTokens {
  const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;
  return {
    ...(isCount(reported.in) && { in: reported.in }),
    ...(isCount(reported.cached) && { cached: reported.cached }),
    ...(isCount(reported.out) && { out: reported.out }),
  };
}

const chatFields = fields("id object created model choices usage service_tier system_fingerprint obfuscation");
const choiceFields = fields("index delta finish_reason logprobs");
const deltaFields = fields("content role refusal tool_calls");
const blockFields = fields("type index delta");
const textFields = fields("type text");
const outputFields = fields("type sequence_number item_id output_index content_index delta logprobs obfuscation");

function fields(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

function hasOnly(value: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in value) if (!known.has(name)) return false;
  return true;
}

function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isTextOrNothing(value: unknown): boolean {
  return isNothing(value) || typeof value === "string";
}
