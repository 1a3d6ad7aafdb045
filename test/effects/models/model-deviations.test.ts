import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { ModelEffect } from "../../../src/core/interpreter/program/model.ts";
import { performModel } from "../../../src/effects/models/model.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeStream } from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";

/** A stream as a server sends it, or a complete JSON response. */
type Sent = { readonly stream: string } | { readonly json: object };

const events = (...chunks: readonly unknown[]): Sent => ({
  stream: chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join(""),
});
const says = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const stops = says({}, { finish_reason: "stop" });
const called = (...calls: readonly object[]) => says({ tool_calls: calls });
const rome = { name: "weather", arguments: '{"city":"Rome"}' };

/** The known deviations of servers from OpenAI's format. */
const texts: Readonly<Record<string, Sent>> = {
  "the regular format": events(
    says({ role: "assistant", content: "" }),
    says({ content: "Hello " }),
    says({ content: "you" }),
    stops,
    "[DONE]",
  ),
  "choices without index": events({ choices: [{ delta: { content: "Hello you" } }] }, stops, "[DONE]"),
  "an empty role": events(says({ role: "", content: "Hello you" }), stops, "[DONE]"),
  "another role": events(says({ role: "model", content: "Hello you" }), stops, "[DONE]"),
  "a role of null": events(says({ role: null, content: "Hello you" }), stops, "[DONE]"),
  "content as a list": events(
    says({
      content: [
        { type: "text", text: "Hello " },
        { type: "text", text: "you" },
      ],
    }),
    stops,
  ),
  "content as a list of texts": events(says({ content: ["Hello ", "you"] }), stops),
  "content of null at the end": events(
    says({ content: "Hello you" }),
    says({ content: null }, { finish_reason: "stop" }),
  ),
  "a creation time as a text": events({ ...says({ content: "Hello you" }), created: "2026-11-22T10:00:00Z" }, stops),
  "an id that is a number, and a model of null": events(
    { ...says({ content: "Hello you" }), id: 7, model: null },
    stops,
  ),
  "usage as texts": events(says({ content: "Hello you" }), {
    ...stops,
    usage: { prompt_tokens: "3", completion_tokens: "2" },
  }),
  "usage of null": events({ ...says({ content: "Hello you" }), usage: null }, { ...stops, usage: null }),
  "usage in a chunk without choices": events(says({ content: "Hello you" }), stops, {
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  }),
  "choices of null": events(says({ content: "Hello you" }), stops, { choices: null }),
  "choices as an object": events({ choices: { delta: { content: "Hello you" } } }, stops),
  "a message instead of a delta": events({
    choices: [{ message: { content: "Hello you" }, finish_reason: "stop" }],
  }),
  "a text instead of a delta": events({ choices: [{ text: "Hello you", finish_reason: "stop" }] }),
  "no delta at the end": events(says({ content: "Hello you" }), { choices: [{ finish_reason: "stop" }] }),
  "a delta of null": events(says({ content: "Hello you" }), { choices: [{ delta: null, finish_reason: "stop" }] }),
  "a finish reason that is a number": events(says({ content: "Hello you" }, { finish_reason: 0 }), stops),
  "no [DONE]": events(says({ content: "Hello you" }), stops),
  "unknown fields": events({ ...says({ content: "Hello you", vendor: [1] }), x_vendor: { a: 1 } }, stops, "[DONE]"),
  "comments and empty lines": {
    stream: `: ping\n\n\n: OPENROUTER PROCESSING\n\ndata: ${JSON.stringify(says({ content: "Hello you" }))}\n\ndata: ${JSON.stringify(stops)}\n\n`,
  },
  "names of events": {
    stream: `event: message\nid: 1\ndata: ${JSON.stringify(says({ content: "Hello you" }))}\n\ndata: ${JSON.stringify(stops)}\n\n`,
  },
  CRLF: {
    stream: `data: ${JSON.stringify(says({ content: "Hello you" }))}\r\n\r\ndata: ${JSON.stringify(stops)}\r\n\r\n`,
  },
  "no space after data:": {
    stream: `data:${JSON.stringify(says({ content: "Hello you" }))}\n\ndata:${JSON.stringify(stops)}\n\n`,
  },
  "no line break at the end": {
    stream: `data: ${JSON.stringify(says({ content: "Hello you" }))}\n\ndata: ${JSON.stringify(stops)}`,
  },
  "reasoning before the text": events(says({ reasoning_content: "Hm" }), says({ content: "Hello you" }), stops),
  "reasoning as a list": events(says({ reasoning_content: [{ text: "Hm" }] }), says({ content: "Hello you" }), stops),
  "two choices": events({ choices: [{ delta: { content: "Hello you" } }, { delta: { content: "Other" } }] }, stops),
  "JSON instead of a stream": {
    json: { choices: [{ message: { role: "assistant", content: "Hello you" }, finish_reason: "stop" }] },
  },
  "JSON with content as a list": {
    json: { choices: [{ message: { content: [{ type: "text", text: "Hello you" }] }, finish_reason: "stop" }] },
  },
};

const tools: Readonly<Record<string, Sent>> = {
  "in the regular format": events(
    called({ index: 0, id: "a", type: "function", function: { name: "weather", arguments: "" } }),
    called({ index: 0, function: { arguments: rome.arguments } }),
    says({}, { finish_reason: "tool_calls" }),
  ),
  "without index": events(called({ id: "a", type: "function", function: rome }), stops),
  "without id": events(called({ index: 0, type: "function", function: rome }), stops),
  "without type": events(called({ index: 0, id: "a", function: rome }), stops),
  "with arguments as an object": events(
    called({ index: 0, id: "a", function: { name: "weather", arguments: { city: "Rome" } } }),
    stops,
  ),
  "as an object": events(says({ tool_calls: { id: "a", function: rome } }), stops),
  "without an enclosing function": events(called({ id: "a", ...rome }), stops),
  "with an empty id in later pieces": events(
    called({ index: 0, id: "a", function: { name: "weather", arguments: '{"city":' } }),
    called({ index: 0, id: "", function: { name: "", arguments: '"Rome"}' } }),
    stops,
  ),
  "in pieces without index": events(
    called({ id: "a", function: { name: "weather", arguments: '{"city":' } }),
    called({ function: { arguments: '"Rome"}' } }),
    stops,
  ),
  "without a final event": events(called({ index: 0, id: "a", function: rome })),
  "in JSON instead of a stream": {
    json: {
      choices: [
        {
          message: { content: null, tool_calls: [{ id: "a", type: "function", function: rome }] },
          finish_reason: "tool_calls",
        },
      ],
    },
  },
};

let server: Server;
let sent: Sent;
let origin: string;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume();
    const isJson = "json" in sent;
    response.writeHead(200, { "Content-Type": isJson ? "application/json" : "text/event-stream" });
    response.end("json" in sent ? JSON.stringify(sent.json) : sent.stream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(() => void server.close());

const effect: ModelEffect = {
  kind: "model",
  credentialsType: "openai",
  credentialsId: "ours",
  model: "any",
  messages: [{ role: "user", content: "Hello" }],
  tools: [
    {
      name: "weather",
      parameters: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  ],
  timeoutMs: 10_000,
};

function ask(wanted: Sent) {
  sent = wanted;
  return performModel(effect, {
    safeStream: createSafeStream({ modelServers: new Set([origin]) }),
    hops: noHops,
    idempotencyKey: "of-this-effect",
    timeLeftMs: 10_000,
    credentials: { find: async () => ({ apiKey: "key", baseUrl: `${origin}/v1` }), noteUse: async () => {} },
  });
}

describe("the text of a deviating response", () => {
  test.each(Object.entries(texts))("the text of a response with %s is read", async (_, wanted) => {
    expect(await ask(wanted)).toMatchObject({ answer: { text: "Hello you", ended: "stop" } });
  });
});

describe("the tool calls of a deviating response", () => {
  test.each(Object.entries(tools))("tool calls %s are read", async (_, wanted) => {
    expect(await ask(wanted)).toMatchObject({
      answer: { text: "", ended: "tools", calls: [{ name: "weather", arguments: '{"city":"Rome"}' }] },
    });
  });

  test("two tool calls without an index are read separately", async () => {
    const wanted = events(
      called({ id: "a", function: rome }, { id: "b", function: { name: "weather", arguments: "{}" } }),
      stops,
    );

    expect(await ask(wanted)).toMatchObject({ answer: { calls: [{ id: "a" }, { id: "b", arguments: "{}" }] } });
  });
});

test("an answer is marked as truncated if its stream stops without an end event", async () => {
  expect(await ask(events(says({ content: "Hello you" })))).toMatchObject({
    answer: { text: "Hello you", ended: "cut" },
  });
});
