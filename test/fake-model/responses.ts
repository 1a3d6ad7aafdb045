import type { ServerResponse } from "node:http";
import { toolResultIn, wantedCalls } from "./calls.ts";
import { hidden, missingItem } from "./thinking.ts";
import { eventsTo, type FakeBody, listOf, problem, sendJson, textOf } from "./wire.ts";

/** Streams answers in the format of OpenAI's Responses API. A previous response with the id `resp_lost` is unknown. */
export function answerAsResponses(body: FakeBody, response: ServerResponse, number: number): void {
  if (body["previous_response_id"] === "resp_lost") {
    response.writeHead(400, { "Content-Type": "application/json" });
    const message = "Previous response with id 'resp_lost' not found.";
    response.end(
      JSON.stringify({ error: { message, type: "invalid_request_error", code: "previous_response_not_found" } }),
    );
    return;
  }
  const wantsReasoning = Array.isArray(body["include"]) && body["include"].includes("reasoning.encrypted_content");
  const isThinking = body["model"] === "thinks";
  const isOlder = body["model"] === "older" && wantsReasoning;
  const refusal = isOlder ? "Encrypted content is not supported with this model." : missingItem(body);
  if (isOlder || (isThinking && refusal !== undefined)) {
    sendJson(response, 400, problem(refusal ?? ""));
    return;
  }
  const plain = asChat(body);
  const calls = wantedCalls(plain);
  const told = toolResultIn(plain);
  const last = listOf(plain["messages"]).at(-1);
  const whole = told === undefined ? `You said: ${textOf(last?.["content"])}` : `The tools said: ${told}`;
  const send = eventsTo(response);
  const made = { id: `resp_${number}`, object: "response", created_at: 1_700_000_000, model: body["model"] };
  send({ type: "response.created", sequence_number: 0, response: { ...made, status: "in_progress", output: [] } });
  if (isThinking && wantsReasoning) {
    const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: hidden };
    send({ type: "response.output_item.added", output_index: 0, item: { ...item, encrypted_content: null } });
    send({ type: "response.output_item.done", output_index: 0, item });
  }
  for (const [index, { id, function: called }] of calls.entries()) {
    const item = { type: "function_call", id: `fc_${id}`, call_id: id, name: called.name, arguments: called.arguments };
    const begun = { ...item, arguments: "", status: "in_progress" };
    send({ type: "response.output_item.added", output_index: index, item: begun });
    const delta = called.arguments;
    send({ type: "response.function_call_arguments.delta", item_id: item.id, output_index: index, delta });
    send({ type: "response.output_item.done", output_index: index, item: { ...item, status: "completed" } });
  }
  if (calls.length === 0) {
    const item = { type: "message", id: "msg_1", role: "assistant", content: [] };
    send({ type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } });
    for (const delta of whole.match(/\S+\s*/g) ?? []) {
      send({ type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta });
    }
    const content = [{ type: "output_text", text: whole, annotations: [] }];
    send({ type: "response.output_item.done", output_index: 0, item: { ...item, content, status: "completed" } });
  }
  const usage = {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 16,
  };
  send({ type: "response.completed", response: { ...made, status: "completed", usage } });
  response.end();
}

function asChat({ input, tools }: FakeBody): FakeBody {
  const said = listOf(input).filter(({ type }) => type !== "reasoning");
  const messages = said.map(({ type, role, content, output }) => {
    if (type === "function_call_output") return { role: "tool", content: textOf(output) };
    return type === "function_call" ? { role: "assistant", content: "" } : { role, content: textOf(content) };
  });
  const functions = listOf(tools).filter(({ type }) => type === "function");
  return { messages, ...(functions.length > 0 && { tools: functions }) };
}
