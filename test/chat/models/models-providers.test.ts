import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { credentialsKinds } from "../../../src/core/credentials/index.ts";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies } from "../../../src/service/dependencies.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { createModelChats, type ModelChats } from "../../support/model-chats.ts";

setDefaultTimeout(60_000);

let chats: ModelChats;
/** A client of the service, which has the fake model at the address of every provider. */
let client: Client;
const called: string[] = [];
// Dify has a different API, which `dify.test.ts` covers.
const providers = [...credentialsKinds.values()].flatMap(({ type, provider }) =>
  provider && type !== "dify-ai" ? [{ type, provider }] : [],
);

beforeAll(async () => {
  chats = await createModelChats();
  const { deps } = chats.api;
  const app = createApp({
    ...createDependencies(deps),
    safeStream(request) {
      called.push(request.url);
      const own = providers
        .map(({ provider }) => provider.baseUrl({}))
        .find((base) => request.url.startsWith(`${base}/`));
      const url = own === undefined ? request.url : chats.model.baseUrl + request.url.slice(own.length);
      return deps.safeStream({ ...request, url });
    },
  });
  client = createClient({ handle: (request) => app.handle(request) });
});
afterAll(() => chats.close());

const noAnswer = "There is no answer at the moment. Please, try again.";
const cutOff = "The answer ends early, because its provider cut it off";

/** For each name of a model: the text that the visitor sees, the log, and the number of requests to the provider. */
const behaviours: Readonly<Record<string, readonly [shown: string, logs: readonly string[], calls: number]>> = {
  echo: ["Answer: You said: I am echo", [], 1],
  "fails-429-once": ["Answer: You said: I am fails-429-once", [], 2],
  long: ["Answer: You said: I am long", ["The answer ends early, because it reached its maximum length"], 1],
  filtered: ["Answer: You said: I am filtered", ["The provider withheld a part of the answer"], 1],
  cut: ["Answer: You said:", [cutOff], 1],
  endless: ["Answer: You said: I am endless", [cutOff], 1],
  breaks: ["Answer: You said: I am breaks", [cutOff], 1],
  empty: [noAnswer, ["The model's answer is empty"], 3],
  unreadable: [noAnswer, ["The provider's response cannot be read"], 3],
  page: [noAnswer, ["The provider is overloaded or not available"], 3],
  elsewhere: [noAnswer, ["The provider's response cannot be read"], 1],
  "fails-400": [noAnswer, ["The provider rejected the request"], 1],
  "fails-401": [noAnswer, ["The provider rejected the key"], 1],
  "fails-402": [noAnswer, ["The account at the provider has no credit"], 1],
  "fails-403": [noAnswer, ["The provider rejected the key"], 1],
  "fails-404": [noAnswer, ["The provider does not have this model"], 1],
  "fails-500": [noAnswer, ["The provider is overloaded or not available"], 3],
  "fails-529": [noAnswer, ["The provider is overloaded or not available"], 3],
};

const keyOf = (type: string): string => `sk-planted-of-${type}-4f2a`;

async function publishFor(type: string, more: object = {}): Promise<{ botId: string; publicId: string }> {
  const credentialsId = await chats.makeCredentials(type, { apiKey: keyOf(type) });
  const model = {
    id: "model",
    type,
    options: {
      action: type === "anthropic" ? "Create Chat Message" : "Create chat completion",
      credentialsId,
      model: "{{Name}}",
      messages: [{ role: "user", content: "I am {{Name}}" }],
      responseMapping: [{ variableId: idOf("Email") }],
      ...more,
    },
  };
  const flow = flowOf([asks("text input", { variableId: idOf("Name") }), model, says("Answer: {{Email}}")]);
  return publish(client, { token: chats.token, workspaceId: chats.workspaceId }, flow);
}

async function talk({ botId, publicId }: { botId: string; publicId: string }, name: string) {
  const started = await start(client, publicId);
  const answer = await say(client, started.text("sessionId"), name);
  const path = `/api/v1/bots/${botId}/results/${started.text("resultId")}`;
  const [logs, result] = await Promise.all(
    [`${path}/logs`, path].map((one) => client.get(one, { token: chats.token })),
  );
  const variables = result?.at("result.variables");
  const kept = Array.isArray(variables) ? variables.find(({ name }) => name === "Email")?.value : undefined;
  const all = JSON.stringify([answer.body, logs?.body, result?.body]);
  return { shown: answer.at("messages.*.content.plainText"), logs: logs?.at("logs.*.description"), kept, all };
}

/** One provider of each API, and one with different fields. The remaining providers differ only in their addresses. */
const inShort = ["openai", "anthropic", "mistral"];

test.each(providers.map(({ type }) => type).filter((type) => isLong || inShort.includes(type)))(
  "each kind of response from %s shows an answer or a notice, and each problem is logged with its reason",
  async (type) => {
    const bot = await publishFor(type);
    const from = chats.model.asked.length;
    const names = Object.keys(behaviours);
    const held = await Promise.all(names.map((name) => talk(bot, name)));
    const asked = chats.model.asked.slice(from);

    const came = names.map((name, index) => {
      const { shown, logs } = held[index] ?? {};
      return [name, shown, logs, asked.filter(({ body }) => body["model"] === name).length];
    });
    expect(came).toEqual(
      names.map((name) => {
        const [shown, logs, calls] = behaviours[name] ?? [];
        return [name, [shown], logs, calls];
      }),
    );
    for (const { shown, kept, all } of held) {
      const told = Array.isArray(shown) && shown[0] !== noAnswer ? String(shown[0]).replace("Answer: ", "") : undefined;
      expect(kept ?? undefined).toEqual(told === undefined ? undefined : expect.stringContaining(told));
      expect(all).not.toContain(keyOf(type));
    }
    const place = providers.find((one) => one.type === type)?.provider.baseUrl({}) ?? "";
    expect(called.slice(-asked.length).every((url) => url.startsWith(`${place}/`))).toBe(true);
    const keys = asked.map(({ headers }) => headers["x-api-key"] ?? headers["authorization"]);
    expect(new Set(keys)).toEqual(new Set([type === "anthropic" ? keyOf(type) : `Bearer ${keyOf(type)}`]));
    // Mistral rejects unknown fields.
    expect(asked.some(({ body }) => "stream_options" in body)).toBe(type !== "mistral" && type !== "anthropic");
  },
);

test("a call to a provider that sends nothing ends after the block's time-out", async () => {
  const { shown, logs } = await talk(await publishFor("groq", { timeout: 1 }), "silent");

  expect([shown, logs]).toEqual([[noAnswer], ["The model took too long"]]);
});

test("system messages for Anthropic follow the block's own system message", async () => {
  const messages = [
    { role: "user", content: "I am {{Name}}" },
    { role: "system", content: "Be brief" },
  ];
  await talk(await publishFor("anthropic", { systemMessage: "Be kind to {{Name}}", messages }), "claude-fake");
  const { body } = chats.model.asked.at(-1) ?? {};

  expect(body?.["system"]).toEqual([{ type: "text", text: "Be kind to claude-fake\n\nBe brief" }]);
  expect(body?.["messages"]).toMatchObject([{ role: "user" }]);
});
