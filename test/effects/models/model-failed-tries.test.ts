import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ModelEffect } from "../../../src/core/interpreter/program/model.ts";
import type { FinishedCall } from "../../../src/effects/model-use.ts";
import { type ScriptedAnswer, type ScriptedProvider, startScriptedProvider } from "../../support/scripted-provider.ts";

let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

const compatible = { baseUrl: "https://models.example/v1" };
const delta = (one: object, more: object = {}) => ({ choices: [{ index: 0, delta: one, ...more }] });
const ends = (reason: string) => delta({}, { finish_reason: reason });
const usage = (read: number, written: number) => ({
  choices: [],
  usage: { prompt_tokens: read, completion_tokens: written, total_tokens: read + written },
});
const empty: ScriptedAnswer = { events: [ends("stop"), usage(10, 0), "[DONE]"] };
const yes: ScriptedAnswer = { events: [delta({ content: "Yes" }), ends("stop"), usage(10, 5), "[DONE]"] };

/** Calls the model. Returns its report, and the tokens that each attempt used. */
async function settled(effect: Partial<ModelEffect>) {
  const calls: FinishedCall[] = [];
  const models = { reserve: async () => ({ settle: async (call: FinishedCall) => void calls.push(call) }) };
  const report = await provider.ask(effect, { data: compatible, models });
  return { report, tokens: calls.map(({ tokens }) => tokens) };
}

describe("the usage of an attempt without an answer", () => {
  test("an attempt without an answer adds its usage to the answer's usage", async () => {
    provider.answers([empty, yes]);

    const { report, tokens } = await settled({});

    const both = { in: 20, cached: 0, out: 5, isEstimated: false };
    expect(report).toMatchObject({ answer: { text: "Yes", tokens: both } });
    expect(tokens).toEqual([both]);
  });

  test("the usage of attempts without an answer is reported if all of them fail", async () => {
    provider.answers([empty, empty, empty]);

    const { report, tokens } = await settled({});

    const all = { in: 30, cached: 0, out: 0, isEstimated: false };
    expect(report).toMatchObject({ failure: { reason: "empty" }, tokens: all });
    expect(tokens).toEqual([all]);
  });

  test("the usage of an attempt without an answer is charged to its own model", async () => {
    provider.answers([{ events: [ends("content_filter"), usage(9, 0), "[DONE]"] }, yes]);

    const fallbacks = [{ credentialsType: "openai", credentialsId: "ours", model: "other" }];
    const { report, tokens } = await settled({ fallbacks });

    expect(report).toMatchObject({ answer: { text: "Yes", tokens: { in: 19, out: 5 } } });
    expect(tokens).toMatchObject([
      { in: 9, out: 0 },
      { in: 10, out: 5 },
    ]);
  });

  test("the unreported usage of an attempt is estimated", async () => {
    provider.answers([{ events: [ends("stop"), "[DONE]"] }, { status: 500, json: {} }, empty]);

    const { report } = await settled({ messages: [{ role: "user", content: "x".repeat(40) }] });

    expect(report).toMatchObject({ tokens: { in: 20, isEstimated: true } });
  });

  test("the output of an answer that is cut off is estimated", async () => {
    const start = { type: "message_start", message: { id: "m", usage: { input_tokens: 700, output_tokens: 1 } } };
    const block = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
    const text = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Well, yes" } };
    provider.answers([{ events: [start, block, text], isCut: true }]);

    const report = await provider.ask({ credentialsType: "anthropic", model: "claude-fake" });

    const tokens = { in: 700, cached: 0, out: 3, isEstimated: true };
    expect(report).toMatchObject({ answer: { text: "Well, yes", ended: "cut", tokens } });
  });
});

test("an answer that spends its tokens before the first word fails", async () => {
  provider.answers([
    { events: [delta({ reasoning_content: "Hm" }), ends("length"), usage(10, 16), "[DONE]"] },
    yes,
    yes,
  ]);

  const fallbacks = [{ credentialsType: "openai", credentialsId: "ours", model: "other" }];
  const { report } = await settled({ fallbacks, maxTokens: 16 });

  expect(report).toMatchObject({ failure: { reason: "spent" }, tokens: { in: 10, out: 16 } });
  expect(provider.asked).toHaveLength(1);
});

describe("a refusal instead of an answer", () => {
  const refuses = [delta({ role: "assistant", content: null, refusal: "I cannot " }), delta({ refusal: "help." })];
  const refusal = { failure: { reason: "withheld", details: "I cannot help." } };

  test.each([
    ["a compatible server", compatible],
    ["OpenAI's own server", {}],
  ])("a refusal of %s is a failure without text, and is not retried", async (_, data) => {
    provider.answers([{ events: [...refuses, ends("stop"), usage(8, 4), "[DONE]"] }]);
    const words: string[] = [];

    const report = await provider.ask({ model: "gpt-fake" }, { data, onText: (more) => void words.push(more) });

    expect(report).toMatchObject({ ...refusal, tokens: { in: 8, out: 4 } });
    expect(words).toEqual([]);
    expect(provider.asked).toHaveLength(1);
  });

  test("a refusal in the Responses API is a failure", async () => {
    const response = { id: "r", created_at: 1, model: "gpt-fake" };
    const item = { type: "message", id: "m", role: "assistant", content: [] };
    const done = { ...response, usage: { input_tokens: 8, output_tokens: 4 } };
    provider.answers([
      {
        events: [
          { type: "response.created", response },
          { type: "response.output_item.added", output_index: 0, item },
          { type: "response.refusal.delta", item_id: "m", output_index: 0, content_index: 0, delta: "I cannot help." },
          { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed" } },
          { type: "response.completed", response: done },
        ],
      },
    ]);

    const report = await provider.ask({ model: "gpt-fake", responses: { isStored: false } });

    expect(report).toMatchObject(refusal);
    expect(provider.asked).toHaveLength(1);
  });

  test("a refusal in a non-streamed JSON response is a failure", async () => {
    const whole = { choices: [{ message: { role: "assistant", refusal: "I cannot help." }, finish_reason: "stop" }] };
    provider.answers([{ json: whole }]);
    expect(await provider.ask({}, { data: compatible })).toMatchObject(refusal);

    provider.answers([{ events: ["{this is no JSON"] }, { json: whole }]);
    expect(await provider.ask({}, { data: compatible })).toMatchObject(refusal);
  });

  test("a refusal after some text keeps the text", async () => {
    provider.answers([{ events: [delta({ content: "Well. " }), ...refuses, ends("stop"), "[DONE]"] }]);

    const report = await provider.ask({}, { data: compatible });

    expect(report).toMatchObject({ answer: { text: "Well. ", ended: "filtered" } });
  });
});

describe("a provider's own error code", () => {
  const fallbacks = [{ credentialsType: "openai", credentialsId: "ours", model: "other" }];
  const says = (status: number, error: object, headers = {}): ScriptedAnswer => ({ status, headers, json: { error } });

  test.each<[string, ScriptedAnswer, string]>([
    ["a used-up quota", says(429, { message: "You exceeded it", code: "insufficient_quota" }), "credit"],
    ["an unknown model", says(400, { message: "Model Not Exist", code: "invalid_request_error" }), "model"],
    ["a filtered prompt", says(400, { message: "The prompt was filtered", code: "content_filter" }), "withheld"],
    ["a pause of more than twenty seconds", says(429, { message: "Slow down" }, { "Retry-After": "21" }), "requests"],
  ])("a response with %s causes an immediate call of the fallback", async (_, refusal, reason) => {
    provider.answers([refusal, yes]);

    const report = await provider.ask({ fallbacks }, { data: compatible });

    expect(report).toMatchObject({ answer: { text: "Yes" } });
    expect(report.notes?.[0]).toStartWith(`other of openai was called instead: ${reason}`);
    expect(provider.asked.map(({ body }) => body["model"])).toEqual(["any", "other"]);
  });
});
