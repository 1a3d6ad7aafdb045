import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelEffect } from "../../../src/core/interpreter/program/model.ts";
import { callModel, type Try } from "../../../src/effects/models/model-call.ts";
import { createFastPath, eventsForLibrary } from "../../../src/effects/models/model-fast-path.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import type { SafeStream } from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { limits } from "../../../src/limits/index.ts";

/**
 * However a stream is cut, the answer must equal the library's answer without the fast path. For this comparison, the
 * library gets the stream in one piece, because the fast path opens only after the library's first words.
 */

const effect: ModelEffect = {
  kind: "model",
  credentialsType: "openai",
  credentialsId: "ours",
  model: "any",
  messages: [{ role: "user", content: "Hello" }],
  timeoutMs: 10_000,
};

/** The API formats, and the providers that use them. */
const languages = {
  compatible: { effect, baseUrl: "https://model.example/v1" },
  openai: { effect, baseUrl: "https://api.openai.com/v1" },
  anthropic: { effect: { ...effect, credentialsType: "anthropic" }, baseUrl: "https://api.anthropic.com/v1" },
  responses: { effect: { ...effect, responses: { isStored: false } }, baseUrl: "https://api.openai.com/v1" },
} satisfies Readonly<Record<string, { effect: ModelEffect; baseUrl: string }>>;

type Language = keyof typeof languages;

/** Returns the result of a stream that arrives in the given pieces, each in a separate turn of the event loop. */
async function ask(language: Language, pieces: readonly Uint8Array[], { isBroken = false } = {}) {
  const told: string[] = [];
  const safeStream: SafeStream = async () => ({
    status: 200,
    headers: new Map([["content-type", "text/event-stream"]]),
    body: streamOf(pieces, isBroken),
  });
  const { effect: asked, baseUrl } = languages[language];
  const outcome = await callModel(
    asked,
    { baseUrl, headers: [], keys: ["key"] },
    {
      ...{ safeStream, hops: noHops, idempotencyKey: "of-this-effect", timeoutMs: 10_000, isStreamed: true },
      manner: { files: new Map(), output: "schema" },
      onText: (words) => void told.push(words),
    },
  );
  return { outcome: withoutIds(outcome), told };
}

/** Removes the ids of calls, because duplicate ids are replaced with random ids. */
function withoutIds(outcome: Try): Try {
  if (outcome.kind !== "answered" || !outcome.answer.calls) return outcome;
  const calls = outcome.answer.calls.map((call) => ({ ...call, id: "" }));
  return { ...outcome, answer: { ...outcome.answer, calls } };
}

function streamOf(pieces: readonly Uint8Array[], isBroken: boolean): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await turn();
        const piece = pieces[next++];
        if (piece) controller.enqueue(piece);
        else if (isBroken) controller.error(new Error("The connection was closed"));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Waits two turns of the event loop, after which the library has returned everything that it received. */
async function turn(): Promise<void> {
  for (let each = 0; each < 2; each++) await new Promise((resolve) => setImmediate(resolve));
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Cuts the bytes at the given fractions, also in the middle of characters and of line ends. */
function cut(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = [...new Set(shares.map((share) => Math.floor(share * bytes.length)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.slice(from, places[index] ?? bytes.length));
}

const words = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(" a", "word ", "é", "日本", "👍🏽", "!", "[x](y)", "\n\n", "<think>", "</think>", ""),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  // Half of a character.
  { weight: 1, arbitrary: fc.constantFrom("\ud83d", "\ude00", "\0", "\u2028") },
);

const common = fc.constantFrom<object>(
  {},
  { id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  {
    id: "c",
    created: 1,
    model: "m",
    system_fingerprint: null,
    service_tier: "default",
    obfuscation: "aB3",
    usage: null,
  },
  { id: null, vendor: 1 },
);
const more = fc.constantFrom<object>({}, {}, { finish_reason: null }, { logprobs: null, finish_reason: null });
const chatDelta = fc.oneof(
  { weight: 12, arbitrary: words.map((content) => ({ content })) },
  { weight: 2, arbitrary: words.map((content) => ({ role: "assistant", content, refusal: null })) },
  fc.constantFrom<object>({}, { content: null }, { role: "assistant", content: "" }, { refusal: "No." }),
  words.map((content) => ({
    content,
    tool_calls: [{ index: 0, id: "t", type: "function", function: { name: "weather", arguments: "{}" } }],
  })),
);
const chatEvent = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(common, more, chatDelta)
      .map(([head, tail, delta]) => ({ ...head, choices: [{ index: 0, delta, ...tail }] })),
  },
  words.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: "stop" }] })),
  fc.constantFrom<object>(
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } },
    { choices: [{ index: 0, delta: {}, finish_reason: "length" }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] },
    { choices: [{ index: 1, delta: { content: "Other" } }] },
    { choices: [{ index: 0, delta: { reasoning_content: "Hm" } }] },
    { choices: [{ index: 0, delta: { content: ["a", "b"] } }] },
    { error: { message: "Going down", type: "server_error", code: null, param: null } },
  ),
);
const chatEnd = fc.constantFrom<readonly object[]>(
  [{ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }],
  [
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } },
  ],
  [],
);
const chat = fc.tuple(fc.array(chatEvent, { maxLength: 25 }), chatEnd).map(([events, end]) => [...events, ...end]);

const usage = { input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 0 };
const message = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
};
const block = fc
  .tuple(fc.array(words, { maxLength: 12 }), fc.boolean(), fc.boolean())
  .map(([all, isPinged, hasTool]) => (index: number) => [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    ...all.flatMap((text) => [
      { type: "content_block_delta", index, delta: { type: "text_delta", text } },
      ...(isPinged ? [{ type: "ping" }] : []),
    ]),
    { type: "content_block_stop", index },
    ...(hasTool
      ? [
          {
            type: "content_block_start",
            index: index + 1,
            content_block: { type: "tool_use", id: "t", name: "weather", input: {} },
          },
          { type: "content_block_delta", index: index + 1, delta: { type: "input_json_delta", partial_json: '{"a":' } },
          { type: "content_block_delta", index: index + 1, delta: { type: "input_json_delta", partial_json: "1}" } },
          { type: "content_block_stop", index: index + 1 },
        ]
      : []),
  ]);
const messagesEnd = fc.constantFrom<readonly object[]>(
  [
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  ],
  [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
  [],
);
const messages = fc
  .tuple(fc.array(block, { maxLength: 3 }), messagesEnd)
  .map(([blocks, end]) => [
    { type: "message_start", message },
    ...blocks.flatMap((make, index) => make(2 * index)),
    ...end,
  ]);

const item = { type: "message", id: "i", role: "assistant", content: [] };
const outputDelta = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(words, fc.constantFrom<object>({}, { logprobs: [] }, { obfuscation: "x" }, { vendor: 1 }))
      .map(([delta, tail]) => ({
        type: "response.output_text.delta",
        item_id: "i",
        output_index: 0,
        content_index: 0,
        delta,
        ...tail,
      })),
  },
  fc.constantFrom<object>(
    { type: "response.refusal.delta", item_id: "i", output_index: 0, content_index: 0, delta: "No." },
    { type: "response.in_progress", response: { id: "r", created_at: 1, model: "m" } },
    { type: "response.made_up" },
    { type: "error", sequence_number: 3, code: "server_error", message: "Going down", param: null },
  ),
);
const response = { id: "r", object: "response", created_at: 1, model: "m", output: [] };
const responsesEnd = fc.constantFrom<readonly object[]>(
  [{ type: "response.completed", response: { ...response, usage: { input_tokens: 3, output_tokens: 9 } } }],
  [
    {
      type: "response.incomplete",
      response: {
        ...response,
        incomplete_details: { reason: "max_output_tokens" },
        usage: { input_tokens: 3, output_tokens: 9 },
      },
    },
  ],
  [],
);
const responses = fc
  .tuple(fc.array(outputDelta, { maxLength: 25 }), responsesEnd)
  .map(([deltas, end]) => [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    ...deltas,
    ...end,
  ]);

const streams: Readonly<Record<Language, fc.Arbitrary<readonly object[]>>> = {
  compatible: chat,
  openai: chat,
  anthropic: messages,
  responses,
};

/** How a server formats its events. */
const writing = fc.record({
  lineEnd: fc.constantFrom("\n", "\n", "\r\n"),
  prefix: fc.constantFrom(
    "data: ",
    "data: ",
    "data:",
    "id: 7\ndata: ",
    "event: message\ndata: ",
    ": ping\n\ndata: ",
    ": ping\ndata: ",
  ),
  end: fc.constantFrom("data: [DONE]\n\n", "", "data: {this is no JSON\n\n"),
});

type Writing = { readonly lineEnd: string; readonly prefix: string; readonly end: string };

function written(events: readonly object[], { lineEnd, prefix, end }: Writing): Uint8Array {
  const text = events.map((event) => `${prefix}${JSON.stringify(event)}\n\n`).join("") + end;
  return bytesOf(text.replaceAll("\n", lineEnd));
}

/**
 * Removes the tokens of failed calls, because data that a provider sends after its error may or may not have arrived.
 */
function withoutTokensOfErrors(outcome: Try) {
  if (outcome.kind === "failed") return { ...outcome, tokens: undefined };
  return outcome.answer.ended === "cut" ? { ...outcome, answer: { ...outcome.answer, tokens: undefined } } : outcome;
}

describe("an answer in chunks", () => {
  test.each(["compatible", "openai", "anthropic", "responses"] as const)(
    "an answer in chunks equals the library's answer for the API format %s",
    async (language) => {
      const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(streams[language], writing, cuts, fc.boolean(), async (events, how, shares, isBroken) => {
          const bytes = written(events, how);
          const alone = await ask(language, [bytes], { isBroken });
          const { outcome, told } = await ask(language, cut(bytes, shares), { isBroken });

          expect(withoutTokensOfErrors(outcome)).toEqual(withoutTokensOfErrors(alone.outcome));
          expect(told.join("")).toBe(alone.told.join(""));
          if (outcome.kind === "answered") expect(told.join("")).toBe(outcome.answer.text);
        }),
        { numRuns: 150 },
      );
    },
  );
});

describe("the part that the library parses", () => {
  const says = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const stop = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;

  /** Opens a stream. Returns the text that bypasses the library, and the data that the library receives. */
  function open() {
    const given: string[] = [];
    const path = createFastPath((more) => void given.push(more));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const left: string[] = [];
    const reading = (async () => {
      for await (const piece of eventsForLibrary(readable, { language: "chat", path, notice: () => {} }))
        left.push(new TextDecoder().decode(piece));
    })();
    const say = async (text: string): Promise<void> => {
      await writer.write(bytesOf(text));
      await turn();
    };
    return { path, given, left, say, end: () => writer.close().then(() => reading) };
  }

  test("the library parses only the first text of an answer", async () => {
    const { path, given, left, say, end } = open();
    await say(says("one "));
    expect(path.holdMs()).toBe(0);
    path.heard("one ");
    await turn();
    expect(path.holdMs()).toBe(50);
    await say(says("two ") + says("three "));
    await say(says("four ").slice(0, 20));
    await say(says("four ").slice(20) + stop + says("late"));
    await end();

    expect(given).toEqual(["two three ", "four "]);
    expect(left).toEqual([says("one "), stop + says("late")]);
  });

  test("the library parses the next text if its output is incomplete", async () => {
    const { path, given, left, say, end } = open();
    await say(says("one "));
    path.heard("on");
    await turn();
    await say(says("two "));
    await end();

    expect(given).toEqual([]);
    expect(left).toEqual([says("one "), says("two ")]);
  });

  test("the library gets every text of an answer with carriage returns as line ends", async () => {
    const { path, given, left, say, end } = open();
    await say(says("one "));
    path.heard("one ");
    await turn();
    await say(says("two ").replaceAll("\n", "\r"));
    await say(says("three ").replaceAll("\n", "\r"));
    await end();

    expect(given).toEqual([]);
    expect(left.join("").replaceAll("\r", "\n")).toBe(says("one ") + says("two ") + says("three "));
    expect(left).toHaveLength(3);
  });
});

test("an answer that is too long ends at the limit", async () => {
  const long = Array.from({ length: 12 }, () => "word ".repeat(1_500));
  const events = long.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  const { outcome, told } = await ask("compatible", events.map(bytesOf));

  expect(outcome).toMatchObject({ kind: "answered", answer: { ended: "length" } });
  expect(told.join("")).toBe(long.join("").slice(0, limits.models.answerCharacters));
});
