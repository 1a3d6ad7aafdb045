import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CredentialsData } from "../../../src/core/credentials/kind.ts";
import type {
  ModelAnswer,
  ModelEffect,
  ModelFallback,
  ModelMessage,
} from "../../../src/core/interpreter/program/model.ts";
import type { FinishedCall } from "../../../src/effects/model-use.ts";
import { performModel } from "../../../src/effects/models/model.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeStream } from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { limits } from "../../../src/limits/index.ts";
import { type FakeModel, startFakeModel } from "../../fake-model/server.ts";
import { hidden, signature, thoughts } from "../../fake-model/thinking.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../support/scripted-provider.ts";

let model: FakeModel;

beforeAll(async () => {
  model = await startFakeModel();
});
afterAll(() => model.close());

const tool = {
  name: "weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
} as const;
const question: ModelMessage = {
  role: "user",
  content: 'call weather {"city":"Rome"}\ncall weather {"city":"Oslo"}\n\ncall weather {"city":"Bern"}',
};

type Asked = Partial<ModelEffect> & { readonly fallbacks?: readonly ModelFallback[] };

/** Makes one call to the model. Returns its report and the calls that were settled. */
async function ask(effect: Asked, data: CredentialsData = { baseUrl: model.baseUrl }) {
  const own = createSafeStream({ modelServers: new Set([model.origin]) });
  const finished: FinishedCall[] = [];
  const asked: ModelEffect = {
    ...{ kind: "model", credentialsType: "openai", credentialsId: "ours", model: "thinks", timeoutMs: 20_000 },
    ...{ messages: [question], tools: [tool] },
    ...effect,
  };
  const report = await performModel(asked, {
    safeStream: (request) =>
      own({ ...request, url: request.url.replace("https://api.anthropic.com/v1", model.baseUrl) }),
    hops: noHops,
    idempotencyKey: "of-this-effect",
    timeLeftMs: 30_000,
    credentials: { find: async () => ({ apiKey: "key", ...data }), noteUse: async () => {} },
    models: { reserve: async () => ({ settle: async (call) => void finished.push(call) }) },
  });
  if (report.kind !== "model") throw new Error("No report of a model");
  return { report, finished };
}

/** Appends an answer and the results of its tool calls to the conversation. */
function answered(messages: readonly ModelMessage[], { text, calls = [], echo }: ModelAnswer): ModelMessage[] {
  const results = calls.map(
    (call): ModelMessage => ({
      ...{ role: "tool", callId: call.id, name: call.name },
      content: "20 C",
    }),
  );
  return [...messages, { role: "assistant", content: text, calls, ...(echo && { echo }) }, ...results];
}

/** Runs up to four rounds of tools, until the model answers or fails. */
async function talk(effect: Asked, data?: CredentialsData) {
  let messages: ModelMessage[] = [question];
  const kept: FinishedCall[] = [];
  for (let round = 0; round < 4; round++) {
    const { report, finished } = await ask({ ...effect, messages }, data);
    kept.push(...finished);
    if ("failure" in report || report.answer.ended !== "tools") return { report, messages, kept };
    messages = answered(messages, report.answer);
  }
  throw new Error("It calls tools without an end");
}

describe("data that a provider expects with tool results", () => {
  const responses = { isStored: false };
  const own = () => ({ baseUrl: model.baseUrl });
  test.each<[string, Asked, number, () => CredentialsData]>([
    ["reasoning to DeepSeek", { credentialsType: "deepseek" }, 2, own],
    ["signatures of calls to Gemini's OpenAI-compatible API", { model: "signs" }, 2, own],
    ["thoughts to Anthropic", { credentialsType: "anthropic", model: "claude-thinks" }, 1, () => ({})],
    ["encrypted reasoning to OpenAI's Responses API without storage", { responses }, 1, own],
  ])("the conversation returns %s", async (_, effect, rounds, data) => {
    const { report, messages, kept } = await talk(effect, data());

    expect(report).toMatchObject({ answer: { text: expect.stringContaining("20 C"), ended: "stop" } });
    expect(messages.filter(({ role }) => role === "assistant").length).toBeGreaterThanOrEqual(rounds);
    // Authors can read the stored calls, so the calls must contain none of these secrets.
    const told = JSON.stringify(kept);
    for (const secret of [thoughts, hidden, signature(0)]) expect(told).not.toContain(secret);
  });
});

test("an answer without tool calls stores no thoughts", async () => {
  const { report } = await ask({ messages: [{ role: "user", content: "Hello" }] });

  expect(report).toMatchObject({ answer: { text: "You said: Hello" } });
  expect(JSON.stringify(report)).not.toContain("echo");
});

describe("data that a provider expects back", () => {
  test("data that a provider expects back is not sent to another model", async () => {
    const first = await ask({});
    if ("failure" in first.report) throw new Error("There is no answer");
    const before = model.asked.length;
    const messages = answered([question], first.report.answer);
    const fallbacks = [{ credentialsType: "openai", credentialsId: "ours", model: "tools" }];
    await ask({ model: "fails-401", messages, fallbacks });

    const sent = model.asked.slice(before).map(({ text }) => text.includes(thoughts));
    expect(sent).toEqual([false, false]);
  });

  test("data that a provider expects back is omitted if the server rejects it", async () => {
    const { report } = await talk({ model: "forgets" });

    expect(report).toMatchObject({ answer: { text: expect.stringContaining("20 C") } });
  });

  test("encrypted reasoning is not requested for a stored response", async () => {
    const responses = { isStored: false };
    const include = async (effect: Asked) => {
      const before = model.asked.length;
      await ask({ responses, ...effect });
      return model.asked.slice(before).map(({ body }) => body["include"]);
    };

    expect(await include({ model: "gpt-4o" })).toEqual([undefined]);
    expect(await include({ model: "older" })).toEqual([["reasoning.encrypted_content"], undefined]);
    expect(await include({ responses: { isStored: true } })).toEqual([undefined]);
  });
});

describe("the size limit of thoughts", () => {
  let provider: ScriptedProvider;
  beforeAll(async () => {
    provider = await startScriptedProvider();
  });
  afterAll(() => provider.close());

  test.each([
    [limits.models.echoBytes - 1_000, true],
    [limits.models.echoBytes + 1, false],
  ])("thoughts of %i characters are kept in the answer completely or not at all (kept: %p)", async (length, isKept) => {
    const delta = (one: object, more = {}) => ({ choices: [{ index: 0, delta: one, ...more }] });
    const call = { index: 0, id: "a", function: { name: "weather", arguments: "{}" } };
    const half = "x".repeat(length / 2);
    const said = [{ reasoning_content: half }, { reasoning_content: half }, { tool_calls: [call] }];
    provider.answers([{ events: [...said.map((one) => delta(one)), delta({}, { finish_reason: "tool_calls" })] }]);

    const report = await provider.ask({ tools: [tool] }, { data: { baseUrl: "https://models.example/v1" } });

    if ("failure" in report) throw new Error("There is no answer");
    expect(report.answer.echo === undefined).toBe(!isKept);
    const note = "The model's reasoning before its tool calls is too long to send back to the model";
    expect(report.notes).toEqual(isKept ? undefined : [note]);
  });
});
