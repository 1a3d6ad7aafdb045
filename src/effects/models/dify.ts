import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { ModelApp } from "../../core/interpreter/program/model.ts";

type Asked = {
  readonly query: string;
  /** The base URL including the API version, without a trailing slash. */
  readonly baseUrl: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly signal: AbortSignal;
  call(url: string, init: RequestInit): Promise<Response>;
};

/**
 * Sends a message to a Dify app and yields the parts of the answer as they arrive. The request always enables
 * streaming, because agents reject other requests. API reference:
 * https://docs.dify.ai/api-reference/chat/send-chat-message
 */
export async function* askDify(
  { inputs, user, conversationId = "" }: ModelApp,
  { query, baseUrl, headers, signal, call }: Asked,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const body = { inputs, query, response_mode: "streaming", conversation_id: conversationId, user };
  const response = await call(`${baseUrl}/chat-messages`, {
    method: "POST",
    headers: [...headers, ["Content-Type", "application/json"]].map(([name = "", value = ""]) => [name, value]),
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw apiError(response.status, await response.text(), Object.fromEntries(response.headers));
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !type.includes("text/event-stream")) throw new Error("The response is not a stream of events");
  const { EventSourceParserStream } = await import("eventsource-parser/stream");
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    const event = parseJsonOr(data, undefined);
    if (isJsonObject(event)) yield* partsOf(event);
  }
}

/** Returns the parts of an event. Progress events and unknown events have no parts. Throws for an error event. */
function partsOf(event: JsonObject): LanguageModelV4StreamPart[] {
  const responseId = textAt(event, "conversation_id");
  const known = responseId !== undefined && { providerMetadata: { dify: { responseId } } };
  const end = (unified: "stop" | "content-filter"): LanguageModelV4StreamPart => ({
    type: "finish",
    finishReason: { unified, raw: textAt(event, "event") },
    usage: usageIn(valueAt(event, "metadata", "usage")),
    ...known,
  });
  switch (event["event"]) {
    case "message":
    case "agent_message":
      return [{ type: "text-delta", id: "0", delta: textAt(event, "answer") ?? "", ...known }];
    case "message_end":
      return [end("stop")];
    case "message_replace":
      // Dify's moderation withdraws the answer, although the visitor has already read a part of it.
      return [end("content-filter")];
    case "error":
      throw apiError(Number(event["status"]) || 500, JSON.stringify(event), {});
    default:
      return [];
  }
}

function usageIn(usage: unknown): LanguageModelV4Usage {
  const [read, written] = [numberAt(usage, "prompt_tokens"), numberAt(usage, "completion_tokens")];
  return {
    inputTokens: { total: read, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: written, text: undefined, reasoning: undefined },
  };
}

function numberAt(value: unknown, name: string): number | undefined {
  const found = valueAt(value, name);
  return typeof found === "number" ? found : undefined;
}

/** Creates an error in the format of the other providers' libraries. */
function apiError(statusCode: number, responseBody: string, responseHeaders: Record<string, string>): Error {
  return Object.assign(new Error(`Dify responded with status ${statusCode}`), {
    statusCode,
    responseBody,
    responseHeaders,
  });
}
