import { isJsonObject, type JsonObject, textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { fetchForLibraries } from "../safe-fetch/fetch-for-libraries.ts";
import { eventsForLibrary, type Reading } from "./model-fast-path.ts";

type Fetch = ReturnType<typeof fetchForLibraries>;

/**
 * Wraps `fetch` for servers that claim to be compatible with OpenAI. Known deviations are corrected event by event
 * before the library reads the response, because the library fails on every value of an unexpected type.
 */
export function tolerantFetch(call: Fetch, { path, notice }: Pick<Reading, "path" | "notice">): Fetch {
  return async (input, init) => {
    const response = await call(input, init);
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || response.body === null || !isStreamWanted(init)) return response;
    const { chunk: right, isOpen } = createRighter();
    const end = (): string => (isOpen() ? `data: ${JSON.stringify(calledTools)}\n\n` : "");
    // Some servers do not stream, but send the complete answer in one response.
    const body = type.includes("json") ? new Response(asEvents(await response.text())).body : response.body;
    const events = body && eventsForLibrary(body, { language: "chat", path, notice, right, end });
    return new Response(events, { status: response.status, headers: { "Content-Type": "text/event-stream" } });
  };
}

function isStreamWanted(init: RequestInit | undefined): boolean {
  const body = typeof init?.body === "string" ? parseJsonOr(init.body, undefined) : undefined;
  return isJsonObject(body) && body["stream"] === true;
}

function asEvents(text: string): string {
  const parsed = parseJsonOr(text, undefined);
  return `data: ${isJsonObject(parsed) ? JSON.stringify(parsed) : text}\n\ndata: [DONE]\n\n`;
}

const calledTools = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };

/**
 * Creates the functions that correct the chunks of one answer. A corrected chunk contains only the fields that are
 * read. Errors are not changed.
 */
function createRighter() {
  let calls = -1;
  let hasEnd = false;
  /** Corrects a tool call. If calls have no index, each call with a name counts as the next call. */
  const rightCall = (call: unknown): unknown => {
    if (!isJsonObject(call)) return undefined;
    const called = isJsonObject(call["function"]) ? call["function"] : call;
    const given = called["arguments"];
    const signature = textAt(call, "extra_content", "google", "thought_signature");
    const { name } = called;
    if (typeof name === "string" && name !== "") calls++;
    const index = typeof call["index"] === "number" ? call["index"] : Math.max(calls, 0);
    return {
      index,
      ...(typeof call["id"] === "string" && call["id"] !== "" && { id: call["id"] }),
      ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
      type: "function",
      function: {
        ...(typeof name === "string" && name !== "" && { name }),
        ...(given !== undefined &&
          given !== null && { arguments: typeof given === "string" ? given : JSON.stringify(given) }),
      },
    };
  };
  const rightDelta = (delta: JsonObject): JsonObject => {
    const { content, tool_calls: called, reasoning_content: thought, refusal } = delta;
    const listed = Array.isArray(called) ? called : isJsonObject(called) ? [called] : [];
    const text = textOf(content);
    return {
      ...(text !== undefined && { content: text }),
      ...(typeof thought === "string" && { reasoning_content: thought }),
      ...(typeof refusal === "string" && { refusal }),
      ...(listed.length > 0 && { tool_calls: listed.map(rightCall).filter((call) => call !== undefined) }),
    };
  };
  const rightChoice = (choice: unknown): unknown => {
    if (!isJsonObject(choice)) return { delta: {} };
    const { delta, message, text, finish_reason: reason } = choice;
    hasEnd ||= typeof reason === "string" && reason !== "";
    const said = [delta, message].find(isJsonObject) ?? { content: text };
    return {
      index: 0,
      delta: rightDelta(said),
      ...(typeof reason === "string" && reason !== "" && { finish_reason: reason }),
    };
  };
  return {
    chunk({ choices, usage, error }: JsonObject): JsonObject | undefined {
      if (error !== undefined && error !== null) return undefined;
      const listed = Array.isArray(choices) ? choices.slice(0, 1) : isJsonObject(choices) ? [choices] : [];
      const counted = usageOf(usage);
      return { choices: listed.map(rightChoice), ...(counted && { usage: counted }) };
    },
    /** Returns whether the finish reason after tool calls is missing. The library would wait for it. */
    isOpen: () => calls >= 0 && !hasEnd,
  };
}

/** Returns a text, or the joined texts of a list of parts. Returns undefined for any other value. */
function textOf(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part) =>
      typeof part === "string" ? part : isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : "",
    )
    .join("");
}

/**
 * Returns token counts as numbers, because some servers send strings. Invalid counts are omitted. Returns undefined if
 * `usage` is not an object.
 */
function usageOf(usage: unknown): JsonObject | undefined {
  if (!isJsonObject(usage)) return undefined;
  const count = (value: unknown): number | undefined => {
    const number = typeof value === "string" && value !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
  };
  const [prompt, completion] = [count(usage["prompt_tokens"]), count(usage["completion_tokens"])];
  const details = usage["prompt_tokens_details"];
  const cached = isJsonObject(details) ? count(details["cached_tokens"]) : undefined;
  return {
    ...(prompt !== undefined && { prompt_tokens: prompt }),
    ...(completion !== undefined && { completion_tokens: completion }),
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
