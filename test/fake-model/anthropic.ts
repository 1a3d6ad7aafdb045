import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { sayings, toolResultIn, wantedCalls } from "./calls.ts";
import { hidden, missingThinking, signature, thoughts } from "./thinking.ts";
import { eventsTo, type FakeBody, isPlain, listOf, textOf } from "./wire.ts";

/** Streams answers in the format of Anthropic's Messages API. */
export async function answerAsAnthropic(body: FakeBody, response: ServerResponse): Promise<void> {
  if (body["model"] === "claude-overloaded") {
    sendError(response, { status: 529, type: "overloaded_error", message: "Overloaded" });
    return;
  }
  if (body["model"] === "claude-unknown") {
    sendError(response, { status: 404, type: "not_found_error", message: "model: claude-unknown" });
    return;
  }
  if (body["model"] === "claude-short" && Number(body["max_tokens"]) > 8_192) {
    const message = `max_tokens: ${body["max_tokens"]} > 8192, which is the maximum allowed number of output tokens`;
    sendError(response, { status: 400, type: "invalid_request_error", message });
    return;
  }
  const isThinking = body["model"] === "claude-thinks";
  const refusal = isThinking ? missingThinking(body) : undefined;
  if (refusal !== undefined) {
    sendError(response, { status: 400, type: "invalid_request_error", message: refusal });
    return;
  }
  const plain = asChat(body);
  const calls = wantedCalls(plain);
  const told = toolResultIn(plain);
  const last = listOf(plain["messages"]).at(-1);
  const whole = told === undefined ? `You said: ${textOf(last?.["content"])}` : `The tools said: ${told}`;
  const all = calls.length > 0 ? sayings(plain) : (whole.match(/\S+\s*/g) ?? []);
  const model = String(body["model"]);
  const words = model === "empty" ? [] : model === "cut" ? all.slice(0, 2) : all;
  const send = eventsTo(response);
  const usage = { input_tokens: 11, output_tokens: 1, cache_read_input_tokens: 4, cache_creation_input_tokens: 0 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body["model"],
    content: [],
    stop_reason: null,
  };
  send({ type: "message_start", message: { ...message, stop_sequence: null, usage } });
  const first = isThinking ? think(send) : 0;
  send({ type: "content_block_start", index: first, content_block: { type: "text", text: "" } });
  send({ type: "ping" });
  for (const text of words) send({ type: "content_block_delta", index: first, delta: { type: "text_delta", text } });
  if (model === "cut") {
    // The text must be sent before the connection is closed.
    await pause(50);
    response.socket?.destroy();
    return;
  }
  send({ type: "content_block_stop", index: first });
  if (model === "endless") {
    response.end();
    return;
  }
  if (model === "breaks" || model === "claude-breaks") {
    send({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    response.end();
    return;
  }
  for (const [index, { id, function: called }] of calls.entries()) {
    const block = { type: "tool_use", id, name: called.name, input: {} };
    const at = first + index + 1;
    send({ type: "content_block_start", index: at, content_block: block });
    send({
      type: "content_block_delta",
      index: at,
      delta: { type: "input_json_delta", partial_json: called.arguments },
    });
    send({ type: "content_block_stop", index: at });
  }
  const reason = calls.length > 0 ? "tool_use" : (reasons.get(model) ?? "end_turn");
  const out = { output_tokens: words.length };
  send({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: out });
  send({ type: "message_stop" });
  response.end();
}

/** Sends a thinking block with its signature, and a redacted block. Returns the index of the next block. */
function think(send: ReturnType<typeof eventsTo>): number {
  send({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } });
  for (const thinking of thoughts.match(/\S+\s*/g) ?? []) {
    send({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking } });
  }
  send({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: signature(0) } });
  send({ type: "content_block_stop", index: 0 });
  send({ type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: hidden } });
  send({ type: "content_block_stop", index: 1 });
  return 2;
}

const reasons = new Map([
  ["long", "max_tokens"],
  ["filtered", "refusal"],
]);

/** Converts a body to OpenAI's format. In Anthropic's API, tool results are part of the user's messages. */
function asChat({ messages, tools, system }: FakeBody): FakeBody {
  const told = listOf(messages).flatMap(({ role, content }) => {
    const parts = listOf(content);
    const results = parts.filter(({ type }) => type === "tool_result");
    if (results.length === 0) return [{ role, content: textOf(content) }];
    return results.map((result) => ({ role: "tool", content: textOf(result["content"]) }));
  });
  return { system, messages: told, ...(isPlain(listOf(tools)[0]) && { tools }) };
}

function sendError(
  response: ServerResponse,
  { status, ...error }: { status: number; type: string; message: string },
): void {
  response.writeHead(status, { "Content-Type": "application/json", "Retry-After": "0" });
  response.end(JSON.stringify({ type: "error", error }));
}
