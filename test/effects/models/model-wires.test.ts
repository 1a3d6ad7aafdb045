import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CredentialsData } from "../../../src/core/credentials/kind.ts";
import type { ModelEffect } from "../../../src/core/interpreter/program/model.ts";
import type { StepFiles } from "../../../src/effects/effect-context.ts";
import { performModel } from "../../../src/effects/models/model.ts";
import { joinedNeighbours } from "../../../src/effects/models/model-manners.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { createSafeStream, type SafeStream } from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { type FakeModel, startFakeModel } from "../../fake-model/server.ts";

let model: FakeModel;
let safeStream: SafeStream;

beforeAll(async () => {
  model = await startFakeModel();
  const own = createSafeStream({ modelServers: new Set([model.origin]) });
  // Redirects calls to the providers' own hosts to the fake model.
  safeStream = (request) => {
    const url = request.url
      .replace(/^https:\/\/api\.(?:anthropic|openai)\.com\/v1/, model.baseUrl)
      .replace("https://ours.openai.azure.com/openai/deployments/gpt", model.baseUrl);
    return own({ ...request, url, trusted: "models" });
  };
});
afterAll(() => model.close());

const asked: ModelEffect = {
  kind: "model",
  credentialsType: "openai",
  credentialsId: "ours",
  model: "echo",
  messages: [
    { role: "system", content: "Be kind" },
    { role: "user", content: "Hello" },
  ],
  timeoutMs: 20_000,
};

async function ask(
  effect: Partial<ModelEffect>,
  data: CredentialsData = {},
  files?: StepFiles,
  more: { extraModelCalls?: { left: number } } = {},
) {
  const before = model.asked.length;
  const report = await performModel(
    { ...asked, ...effect },
    {
      safeStream,
      hops: noHops,
      idempotencyKey: "of-this-effect",
      timeLeftMs: 30_000,
      credentials: {
        find: async () => ({ apiKey: "sk-planted-0123456789-4f2a", ...data }),
        noteUse: async () => {},
      },
      ...(files && { files }),
      ...more,
    },
  );
  return { report, asked: model.asked.slice(before) };
}

const own = () => ({ baseUrl: model.baseUrl });

const tool = {
  name: "weather",
  description: "The weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
} as const;

describe("Anthropic's API", () => {
  const claude = { credentialsType: "anthropic", model: "claude-fake" };

  test("Anthropic's API is called in its own format, and its answer is read", async () => {
    const { report, asked: calls } = await ask({ ...claude, maxTokens: 500 });

    expect(report).toEqual({
      kind: "model",
      answer: { text: "You said: Hello", ended: "stop", tokens: { in: 15, cached: 4, out: 3, isEstimated: false } },
    });
    expect(calls[0]).toMatchObject({
      path: "/v1/messages",
      headers: { "x-api-key": "sk-planted-0123456789-4f2a", "anthropic-version": "2023-06-01" },
      body: { model: "claude-fake", max_tokens: 500, system: [{ text: "Be kind" }], stream: true },
    });
  });

  test("tool calls are read from Anthropic's API", async () => {
    const messages = [{ role: "user", content: 'say Wait.\ncall weather {"city":"Rome"}' }] as const;
    const first = await ask({ ...claude, tools: [tool], messages });
    const call = { id: "call_0_1", name: "weather", arguments: '{"city":"Rome"}' };
    const told = { role: "tool", callId: call.id, name: call.name, content: "20 C" } as const;
    const answered = [...messages, { role: "assistant", content: "Wait.", calls: [call] } as const, told];
    const second = await ask({ ...claude, tools: [tool], mayCallTools: false, messages: answered });

    expect(first.report).toMatchObject({ answer: { text: "Wait.", ended: "tools", calls: [call] } });
    expect(second.report).toMatchObject({ answer: { text: "The tools said: 20 C", ended: "stop" } });
    expect(second.asked[0]?.body).toMatchObject({ tools: [{ name: "weather" }], tool_choice: { type: "none" } });
  });

  test("overloads, unknown models and broken answers of Anthropic's API are reported", async () => {
    const overloaded = await ask({ ...claude, model: "claude-overloaded" });
    const unknown = await ask({ ...claude, model: "claude-unknown" });
    const broken = await ask({ ...claude, model: "claude-breaks" });

    expect(overloaded.report).toMatchObject({ failure: { reason: "overloaded", status: 529 } });
    expect(overloaded.asked).toHaveLength(3);
    expect(unknown.report).toMatchObject({ failure: { reason: "model", status: 404 } });
    expect(broken.report).toMatchObject({ answer: { text: "You said: Hello", ended: "cut" } });
  });
});

describe("OpenAI's own server", () => {
  test("OpenAI's own server is called at its chat completions endpoint", async () => {
    const { report, asked: calls } = await ask({ model: "echo", maxTokens: 70 });

    expect(report).toMatchObject({ answer: { text: "You said: Hello", ended: "stop" } });
    expect(calls[0]).toMatchObject({ path: "/v1/chat/completions", body: { stream_options: { include_usage: true } } });
  });
});

describe("the Responses API", () => {
  const data = () => ({ baseUrl: model.baseUrl });

  test("the Responses API stores responses only if the block uses them", async () => {
    const { report, asked: calls } = await ask({ responses: { isStored: false, instructions: "Be brief" } }, data());
    const more = await ask(
      {
        responses: {
          isStored: true,
          previousResponseId: "resp_7",
          fileSearch: { vectorStoreIds: ["vs_1"], maxNumResults: 3, scoreThreshold: 0.5 },
          usesWebSearch: true,
          usesCodeInterpreter: true,
        },
      },
      data(),
    );

    expect(report).toMatchObject({
      answer: { text: "You said: Hello", ended: "stop", tokens: { in: 11, cached: 4, out: 5 } },
    });
    expect(calls[0]).toMatchObject({ path: "/v1/responses", body: { store: false, instructions: "Be brief" } });
    expect(more.asked[0]?.body).toMatchObject({
      store: true,
      previous_response_id: "resp_7",
      tools: [
        {
          type: "file_search",
          vector_store_ids: ["vs_1"],
          max_num_results: 3,
          ranking_options: { score_threshold: 0.5 },
        },
        { type: "web_search" },
        { type: "code_interpreter" },
      ],
    });
    expect(more.report).toMatchObject({ answer: { responseId: expect.stringMatching(/^resp_\d+$/) } });
  });

  test("the Responses API is called again without a lost previous response", async () => {
    const { report, asked: calls } = await ask(
      { responses: { isStored: true, previousResponseId: "resp_lost" } },
      data(),
    );

    expect(calls).toHaveLength(2);
    expect(report).toMatchObject({
      answer: { text: "You said: Hello" },
      notes: ["The provider no longer has the previous response: the model was called without it"],
    });
  });

  test("tool calls are read from the Responses API", async () => {
    const messages = [{ role: "user", content: 'call weather {"city":"Rome"}' }] as const;
    const { report } = await ask({ responses: { isStored: false }, tools: [tool], messages }, data());

    expect(report).toMatchObject({
      answer: { ended: "tools", calls: [{ name: "weather", arguments: '{"city":"Rome"}' }] },
    });
  });
});

describe("files", () => {
  const png = new Uint8Array(Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  const address = "https://ours.example/api/files/a.png";
  const files: StepFiles = {
    read: async (asked) =>
      asked === address
        ? { bytes: png, type: "image/png", name: "a.png" }
        : { bytes: Buffer.from("<html>"), type: "image/png", name: "b.png" },
    keep: async () => "",
  };
  const messages = [{ role: "user", content: `Look:\n\n${address}`, parts: [{ text: "Look:" }, { address }] }] as const;
  const picture = {
    type: "image_url",
    image_url: { url: `data:image/png;base64,${Buffer.from(png).toString("base64")}` },
  };

  test("files are attached if a model supports them", async () => {
    const { asked: calls } = await ask({ messages }, { baseUrl: model.baseUrl }, files);

    expect(calls[0]?.body["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "Look:" }, picture] }]);
  });

  test.each(["gpt-9", "o7-mini", "anything"])(
    "files are sent to OpenAI's model %s, even if the name is unknown",
    async (name) => {
      const { asked: calls } = await ask({ model: name, messages }, {}, files);

      expect(calls[0]?.body["messages"]).toEqual([
        { role: "user", content: [{ type: "text", text: "Look:" }, picture] },
      ]);
    },
  );

  test("the addresses of files are sent as text if a model rejects the files", async () => {
    const wordsAlone = [{ role: "user", content: `Look:\n\n${address}` }];
    const old = await ask({ model: "blind", messages }, {}, files);
    const unknown = await ask({ model: "blind-unknown", messages }, { baseUrl: model.baseUrl }, files);
    const blind = await ask({ model: "blind", messages }, { baseUrl: model.baseUrl }, files);
    const noPicture = [
      { role: "user", content: "https://x.example/b.png", parts: [{ address: "https://x.example/b.png" }] },
    ] as const;
    const none = await ask({ messages: noPicture }, { baseUrl: model.baseUrl }, files);

    for (const { report, asked: calls } of [old, blind, unknown]) {
      expect(calls).toHaveLength(2);
      expect(calls[1]?.body["messages"]).toEqual(wordsAlone);
      expect(report).toMatchObject({ notes: ["The model does not accept images: their addresses stay text"] });
    }
    expect(none.report).toMatchObject({ notes: ["https://x.example/b.png stays text: it is not an image"] });
    expect(none.asked[0]?.body["messages"]).toEqual([{ role: "user", content: "https://x.example/b.png" }]);
  });
});

describe("documents", () => {
  const pdf = new Uint8Array(Buffer.from("%PDF-1.7 a letter"));
  const png = new Uint8Array(Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  const filesOf = (bytes: Uint8Array): StepFiles => ({
    read: async () => ({ bytes, type: "", name: "a" }),
    keep: async () => "",
  });
  const at = (index: number) => `https://ours.example/api/files/${index}`;
  const asking = (count: number) => {
    const parts = Array.from({ length: count }, (_, index) => ({ address: at(index) }));
    const content = parts.map(({ address }) => address).join("\n\n");
    return [{ role: "user", content, parts: [{ text: "Read:" }, ...parts] }] as const;
  };

  test("a PDF document is sent only to OpenAI and Anthropic", async () => {
    const openai = await ask({ model: "gpt-4o-fake", messages: asking(1) }, {}, filesOf(pdf));
    const anthropic = { credentialsType: "anthropic", model: "claude-fake", messages: asking(1) };
    const claude = await ask(anthropic, {}, filesOf(pdf));
    const other = await ask({ messages: asking(1) }, { baseUrl: model.baseUrl }, filesOf(pdf));

    const data = Buffer.from(pdf).toString("base64");
    expect(openai.asked[0]?.text).toContain(`data:application/pdf;base64,${data}`);
    expect(claude.asked[0]?.body["messages"]).toMatchObject([
      { content: [{ text: "Read:" }, { type: "document", source: { media_type: "application/pdf", data } }] },
    ]);
    expect(other.asked[0]?.body["messages"]).toEqual([{ role: "user", content: at(0) }]);
    expect(other.report).toMatchObject({ notes: [`${at(0)} stays text: the model accepts only images`] });
  });

  test("a model gets at most ten files, and at most 20 MB of files in total", async () => {
    const many = await ask({ messages: asking(12) }, { baseUrl: model.baseUrl }, filesOf(png));
    const large = new Uint8Array(9 * 1024 * 1024);
    large.set(png);
    const told: { maxBytes: number }[] = [];
    const files: StepFiles = {
      async read(_, bounds) {
        told.push(bounds);
        return bounds.maxBytes < large.length ? { problem: "it is too large" } : { bytes: large, type: "", name: "a" };
      },
      keep: async () => "",
    };
    const heavy = await ask({ messages: asking(3) }, { baseUrl: model.baseUrl }, files);

    expect(many.asked[0]?.text.match(/image_url":\{/g)).toHaveLength(10);
    expect(many.report).toMatchObject({ notes: ["A model receives at most 10 files: the other addresses stay text"] });
    expect(told.map(({ maxBytes }) => maxBytes / 1024 / 1024)).toEqual([10, 10, 2]);
    expect(heavy.report).toMatchObject({ notes: [`${at(2)} stays text: it is too large`] });
  });
});

test("five concurrent calls send their own API keys", async () => {
  const before = model.asked.length;
  const names = Array.from({ length: 5 }, (_, index) => `visitor-${index}`);
  const answers = await Promise.all(
    names.map((name) => {
      const messages = [{ role: "user", content: name }] as const;
      return ask({ messages }, { baseUrl: model.baseUrl, apiKey: `key-of-${name}` });
    }),
  );

  expect(answers.map(({ report }) => report)).toMatchObject(
    names.map((name) => ({ answer: { text: `You said: ${name}` } })),
  );
  const sent = model.asked
    .slice(before)
    .map(({ text, headers }) => [/visitor-\d/.exec(text)?.[0], headers.authorization]);
  expect(sent.toSorted()).toEqual(names.map((name) => [name, `Bearer key-of-${name}`]));
});

test("Azure gets the key in Azure's own header, and the version in the address", async () => {
  const baseUrl = "https://ours.openai.azure.com/openai/deployments/gpt";
  const { report, asked: calls } = await ask({ apiVersion: "2024-10-21" }, { baseUrl });

  expect(report).toMatchObject({ answer: { text: "You said: Hello" } });
  expect(calls[0]?.path).toBe("/v1/chat/completions?api-version=2024-10-21");
  expect(calls[0]?.headers["api-key"]).toBe("sk-planted-0123456789-4f2a");
  expect(calls[0]?.headers["authorization"]).toBeUndefined();
});

test("a model is called only once when no additional calls of the step are left", async () => {
  const fallbacks = [1, 2].map(() => ({ credentialsType: "openai", credentialsId: "ours", model: "fails-401" }));
  const extraModelCalls = { left: 2 };
  const failing = { model: "fails-401", fallbacks };
  const first = await ask(failing, { baseUrl: model.baseUrl }, undefined, { extraModelCalls });
  const second = await ask({ ...failing, model: "fails-500" }, { baseUrl: model.baseUrl }, undefined, {
    extraModelCalls,
  });

  expect(first.asked).toHaveLength(3);
  expect(second.asked).toHaveLength(1);
  expect(second.report).toMatchObject({ failure: { reason: "overloaded" } });
});

test("a request keeps its Idempotency-Key after the status 429", async () => {
  const keysOf = async (effect: Partial<ModelEffect>) => {
    const data = { baseUrl: model.baseUrl };
    const { asked: calls } = await ask({ ...effect }, data, undefined, { extraModelCalls: { left: 1 } });
    return calls.map(({ headers }) => headers["idempotency-key"]);
  };
  const again = await keysOf({ model: "fails-429-once" });
  const empty = await keysOf({ model: "empty" });
  const unreadable = await keysOf({ model: "unreadable" });
  const elsewhere = await keysOf({
    model: "fails-401",
    fallbacks: [{ credentialsType: "openai", credentialsId: "ours", model: "echo" }],
  });

  expect(again).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), again[0]]);
  // A provider that remembers the key would repeat the empty answer.
  for (const keys of [empty, unreadable, elsewhere]) {
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
  }
});

describe("messages that a provider rejects unchanged", () => {
  const messages = ["One", "Two"].map((content) => ({ role: "user", content }) as const);
  const sent = [{ role: "user", content: "One\n\nTwo" }];

  test("consecutive messages of one role are joined for Perplexity", async () => {
    const perplexity = await ask({ credentialsType: "perplexity", model: "alternates", messages }, own());
    const other = await ask({ model: "alternates", messages }, own());
    const plain = await ask({ messages }, own());

    expect(perplexity.asked.map(({ body }) => body["messages"])).toEqual([sent]);
    expect(other.asked.map(({ body }) => body["messages"])).toEqual([messages, sent]);
    expect(plain.asked.map(({ body }) => body["messages"])).toEqual([messages]);
  });

  test("joined messages keep their instructions, files and calls", async () => {
    const call = { id: "c", name: "weather", arguments: "{}" };
    const mixed = [
      { role: "system", content: "A" },
      { role: "system", content: "B" },
      { role: "user", content: "C", parts: [{ text: "C" }, { address: "https://x.example/c.png" }] },
      { role: "user", content: "D" },
      { role: "assistant", content: "E" },
      { role: "assistant", content: "F", calls: [call] },
      { role: "tool", callId: "c", name: "weather", content: "G" },
      { role: "tool", callId: "c", name: "weather", content: "H" },
    ] as const;

    expect(joinedNeighbours(mixed)).toEqual([
      { role: "system", content: "A\n\nB" },
      {
        ...{ role: "user", content: "C\n\nD" },
        parts: [{ text: "C" }, { address: "https://x.example/c.png" }, { text: "D" }],
      },
      { role: "assistant", content: "E\n\nF", calls: [call] },
      ...mixed.slice(6),
    ]);
  });

  test("the oldest messages are omitted if the messages are too long", async () => {
    const long = [
      { role: "system", content: "Be kind" },
      { role: "user", content: "One" },
      { role: "assistant", content: "Two" },
      { role: "user", content: "Three" },
    ] as const;
    const { report, asked: calls } = await ask({ model: "too-long", messages: long }, own());

    expect(calls[1]?.body["messages"]).toEqual([long[0], long[3]]);
    expect(report).toMatchObject({ notes: ["Max tokens limit reached, automatically trimming first message."] });
  });
});

describe("a temperature that a model does not support", () => {
  const note = "The model does not support a temperature, which was left out";

  test("a rejected temperature is omitted in later calls", async () => {
    const first = await ask({ model: "cold", temperature: 0.5 }, own());
    const second = await ask({ model: "cold", temperature: 0.5 }, own());
    const without = await ask({ model: "cold" }, own());

    expect(first.asked.map(({ body }) => body["temperature"])).toEqual([0.5, undefined]);
    expect(second.asked.map(({ body }) => body["temperature"])).toEqual([undefined]);
    for (const { report } of [first, second]) expect(report).toMatchObject({ notes: [note] });
    expect(without.report).not.toContainKey("notes");
  });

  test("a temperature outside a model's known limits is not sent", async () => {
    const thinking = await ask({ model: "gpt-5-fake", temperature: 0.5 });
    const older = { credentialsType: "anthropic", model: "claude-3-haiku-20240307" };
    const claude = await ask({ ...older, temperature: 1.5 });

    expect(thinking.asked[0]?.body["temperature"]).toBeUndefined();
    expect(thinking.report).toMatchObject({ notes: [note] });
    expect(claude.asked[0]?.body["temperature"]).toBe(1);
    expect(claude.report).toMatchObject({
      notes: ["The temperature is higher than the model allows, so the maximum was sent"],
    });
  });
});

describe("the maximum tokens of an answer of Anthropic", () => {
  const claude = { credentialsType: "anthropic", model: "claude-fake" };

  test("Anthropic's maximum tokens come from the author or the model", async () => {
    const sent = async (effect: Partial<ModelEffect>) =>
      (await ask({ ...claude, ...effect })).asked[0]?.body["max_tokens"];

    expect(await sent({})).toBe(16_384);
    expect(await sent({ maxTokens: 99 })).toBe(99);
    expect(await sent({ model: "claude-3-haiku-20240307" })).toBe(4_096);
  });

  test("Anthropic's maximum tokens are lowered if the server requests it", async () => {
    const short = await ask({ ...claude, model: "claude-short" });
    const wanted = await ask({ ...claude, model: "claude-short", maxTokens: 9_000 });

    expect(short.asked.map(({ body }) => body["max_tokens"])).toEqual([16_384, 8_192]);
    expect(short.report).toMatchObject({ answer: { text: "You said: Hello" } });
    expect(wanted.report).toMatchObject({ failure: { reason: "refused" } });
  });
});

describe("an answer with a schema", () => {
  const output = {
    type: "object",
    properties: { Name: { type: "string" } },
    required: ["Name"],
    additionalProperties: false,
  } as const;

  test("an answer's schema is sent as a parameter, or in the prompt if rejected", async () => {
    const known = await ask({ output }, { baseUrl: model.baseUrl });
    const unknown = await ask({ output, model: "without-schemas" }, { baseUrl: model.baseUrl });
    const again = await ask({ output, model: "without-schemas" }, { baseUrl: model.baseUrl });

    expect(known.asked[0]?.body["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: { schema: output },
    });
    expect(unknown.asked).toHaveLength(3);
    expect(unknown.asked[2]?.body["messages"]).toMatchObject([
      { role: "system", content: expect.stringContaining('"Name"') },
      {},
      {},
    ]);
    expect(again.asked).toHaveLength(1);
  });
});
