import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import type { ServerResponse } from "node:http";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import {
  createSafeFetch,
  type OutgoingRequest,
  type OutgoingResponse,
} from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { testKey } from "../../support/events.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { type OutsideRequest, type OutsideServer, startOutside } from "../../support/outside.ts";

const apiKey = "sk-planted-0123456789-4f2a";
const bearer = ["Authorization", `Bearer ${apiKey}`] as const;

async function makeWorld(options: Parameters<typeof createTestApi>[0]) {
  const api: TestApi = await createTestApi({ ...options, config: { ENCRYPTION_KEY: testKey, ...options?.config } });
  const owner: TestUser = await api.makeUser();
  const base = `/api/v1/workspaces/${await api.makeWorkspace(owner)}/credentials`;
  const { token } = owner;
  const make = (type: string, data: object) => api.client.post(base, { token, body: { type, name: "Ours", data } });
  const made = async (type: string, data: object) => `${base}/${(await make(type, data)).text("credentials.id")}`;
  return {
    api,
    make,
    made,
    get: (place: string) => api.client.get(place, { token }),
    trial: (place: string) => api.client.post(`${place}/test`, { token, body: {} }),
    models: (place: string) => api.client.get(`${place}/models`, { token }),
  };
}

describe("a provider's own server", () => {
  const asked: OutgoingRequest[] = [];
  let reply: OutgoingResponse;
  let world: Awaited<ReturnType<typeof makeWorld>>;
  beforeAll(async () => {
    world = await makeWorld({
      safeFetch: async (request) => {
        asked.push(request);
        return reply;
      },
    });
  });
  afterAll(() => world.api.close());

  test.each<[string, string, string | null, string]>([
    ["openai", "https://api.openai.com/v1/models", "https://api.openai.com/v1/models", "Authorization"],
    ["anthropic", "https://api.anthropic.com/v1/models", "https://api.anthropic.com/v1/models?limit=1000", "x-api-key"],
    ["mistral", "https://api.mistral.ai/v1/models", "https://api.mistral.ai/v1/models", "Authorization"],
    ["groq", "https://api.groq.com/openai/v1/models", "https://api.groq.com/openai/v1/models", "Authorization"],
    ["deepseek", "https://api.deepseek.com/models", "https://api.deepseek.com/models", "Authorization"],
    ["perplexity", "https://api.perplexity.ai/async/chat/completions", null, "Authorization"],
    ["open-router", "https://openrouter.ai/api/v1/key", "https://openrouter.ai/api/v1/models", "Authorization"],
    ["together-ai", "https://api.together.xyz/v1/models", "https://api.together.xyz/v1/models", "Authorization"],
  ])(
    "credentials of the type %s are tested with their key at the provider's server, without following redirects",
    async (type, trialUrl, modelsUrl, header) => {
      reply = { status: 200, text: '{"data":[{"id":"large"},{"id":"small"}]}' };
      const place = await world.made(type, { apiKey });

      expect((await world.trial(place)).at("test")).toMatchObject({ isAccepted: true, status: 200 });
      expect(asked.at(-1)).toMatchObject({ url: trialUrl, method: "GET", redirect: "manual" });
      const value = new Map(asked.at(-1)?.headers).get(header);
      expect(value).toBe(header === "x-api-key" ? apiKey : `Bearer ${apiKey}`);
      const models = await world.models(place);
      if (modelsUrl === null) expect(models.at("code")).toBe("credentials.no_models");
      else expect([models.at("models"), asked.at(-1)?.url]).toEqual([["large", "small"], modelsUrl]);
      expect((await world.get(place)).at("credentials.lastUsedAt")).toMatch(/:00\.000Z$/);
    },
  );

  test.each<[string, object, string, readonly [string, string]]>([
    ["stripe", { livePublicKey: "pk_live_1", liveSecretKey: apiKey }, "https://api.stripe.com/v1/balance", bearer],
    ["nocodb", { apiKey }, "https://app.nocodb.com/api/v2/meta/bases", ["xc-token", apiKey]],
    ["elevenlabs", { apiKey }, "https://api.elevenlabs.io/v1/user", ["xi-api-key", apiKey]],
    [
      "address-search",
      { url: "https://search.example.com/v1?q={{query}}", header: "X-Key", key: apiKey },
      "https://search.example.com/v1?q=1%20Main%20Street",
      ["X-Key", apiKey],
    ],
    ["dify-ai", { apiKey, knowledgeApiKey: "other" }, "https://api.dify.ai/v1/info", bearer],
    ["dify-ai", { knowledgeApiKey: apiKey }, "https://api.dify.ai/v1/datasets?limit=1", bearer],
  ])("credentials of the type %s are tested with a free request", async (type, data, url, header) => {
    reply = { status: 200, text: "{}" };
    const place = await world.made(type, data);
    expect((await world.trial(place)).at("test")).toMatchObject({ isAccepted: true, status: 200 });
    expect(asked.at(-1)).toMatchObject({ url, method: "GET", redirect: "manual", headers: [header] });

    reply = { status: 401, text: JSON.stringify({ error: { message: `Invalid key: ${apiKey}` } }) };
    expect((await world.trial(place)).at("test")).toEqual({
      ...{ isAccepted: false, status: 401, message: "The server responded with status 401: Invalid key: •••" },
    });
  });

  test.each<[string, object]>([
    ["segment", { apiKey }],
    ["posthog", { apiKey }],
    ["chat-node", { apiKey }],
    ["blink", { apiKey }],
    ["zendesk", { conversationsKeyId: "app_1", conversationsSecretKey: apiKey }],
    ["http proxy", { url: "http://proxy.example.com:3128" }],
  ])(
    "credentials of the type %s are not tested because no free request exists, and the response contains a message",
    async (type, data) => {
      const before = asked.length;
      const test = (await world.trial(await world.made(type, data))).at("test");
      expect(test).toEqual({ isAccepted: null, status: null, message: expect.stringMatching(/\.$/) });
      expect(asked.length).toBe(before);
    },
  );

  test("testing Google credentials succeeds for a connected account", async () => {
    reply = { status: 200, text: '{"access_token":"ya29.planted"}' };
    const client = { clientId: "ours", clientSecret: "GOCSPX-planted-0123" };
    const person = await world.made("gmail", { ...client, refreshToken: "1//planted-token" });
    expect((await world.trial(person)).at("test.isAccepted")).toBe(true);
    const form = new URLSearchParams(asked.at(-1)?.body);
    expect(Object.fromEntries(form)).toMatchObject({ grant_type: "refresh_token", client_secret: client.clientSecret });

    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    const service = await world.made("google sheets", { clientEmail: "bots@ours.example", privateKey: pem });
    expect((await world.trial(service)).at("test.isAccepted")).toBe(true);
    const assertion = new URLSearchParams(asked.at(-1)?.body).get("assertion") ?? "";
    const [head = "", claims = "", signature = ""] = assertion.split(".");
    const isSigned = verify(
      "RSA-SHA256",
      Buffer.from(`${head}.${claims}`),
      publicKey,
      Buffer.from(signature, "base64url"),
    );
    expect(isSigned).toBe(true);

    reply = {
      status: 400,
      text: '{"error":"invalid_grant","error_description":"Token 1//planted-token was revoked."}',
    };
    expect((await world.trial(person)).at("test")).toEqual({
      ...{ isAccepted: false, status: 400, message: "invalid_grant: Token ••• was revoked." },
    });
  });

  test("testing Google credentials fails without an account or a readable key", async () => {
    const client = { clientId: "ours", clientSecret: "GOCSPX-planted-0123" };
    const unconnected = await world.made("gmail", client);
    expect((await world.trial(unconnected)).at("test.message")).toBe("No Google account is connected");
    const privateKey = "-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n";
    const broken = await world.made("google sheets", { clientEmail: "bots@ours.example", privateKey });
    expect((await world.trial(broken)).at("test.message")).toBe("The private key cannot be read");
  });

  test("a test with Azure sends the key in the `api-key` header", async () => {
    reply = { status: 200, text: "[]" };
    const place = await world.made("openai", {
      apiKey,
      baseUrl: "https://ours.openai.azure.com/openai/deployments/gpt",
    });

    await world.trial(place);

    expect(asked.at(-1)?.url).toBe("https://ours.openai.azure.com/openai/models?api-version=2024-10-21");
    expect(asked.at(-1)?.headers).toEqual([["api-key", apiKey]]);
  });

  test.each<[string, OutgoingResponse, string]>([
    [
      "rejects the key",
      { status: 401, text: `{"error":{"message":"Incorrect API key provided: ${apiKey}."}}` },
      "The server responded with status 401: Incorrect API key provided: •••.",
    ],
    [
      "shows another key",
      { status: 401, text: '{"message":"sk-ant-api03-abcdefgh is revoked"}' },
      "The server responded with status 401: ••• is revoked",
    ],
    [
      "responds with a page",
      { status: 502, text: "<html><b>Bad gateway</b></html>" },
      "The server responded with status 502: Bad gateway",
    ],
    [
      "responds with a redirect",
      { status: 302, text: "" },
      "The server responded with status 302: it redirects to another address, and a key must not follow a redirect",
    ],
    ["responds with an empty body", { status: 500, text: "" }, "The server responded with status 500"],
  ])("the error of a provider's own server contains no key if the server %s", async (_, said, message) => {
    reply = said;
    const place = await world.made("openai", { apiKey });

    expect((await world.trial(place)).at("test")).toEqual({ isAccepted: false, status: said.status, message });
    const models = await world.models(place);
    expect([models.status, models.at("code"), models.at("message")]).toEqual([
      502,
      "credentials.provider_failed",
      message,
    ]);
  });

  test("a provider may return its models as a plain list", async () => {
    const place = await world.made("openai", { apiKey });
    reply = { status: 200, text: '{"hello":"world"}' };
    expect((await world.models(place)).at("code")).toBe("credentials.provider_failed");
    reply = { status: 200, text: '[{"id":"a"},{"name":"b"},"c",{"__proto__":{"id":"d"}}]' };
    expect((await world.models(place)).at("models")).toEqual(["a", "b", "c"]);
  });
});

describe("a model server that the operator runs", () => {
  let server: OutsideServer;
  let world: Awaited<ReturnType<typeof makeWorld>>;
  let answer: (request: OutsideRequest, response: ServerResponse) => void;
  beforeAll(async () => {
    server = await startOutside((request, response) => answer(request, response));
    world = await makeWorld({ config: { MODEL_SERVERS: `http://localhost:${server.port}` } });
  });
  beforeEach(() => {
    answer = (_, response) => response.end('{"data":[{"id":"llama"}]}');
  });
  afterAll(async () => {
    await server.close();
    await world.api.close();
  });

  test("a model server that the operator runs can be called on localhost", async () => {
    const place = await world.made("openai", { apiKey, baseUrl: `http://localhost:${server.port}/some/v1` });

    expect((await world.models(place)).at("models")).toEqual(["llama"]);
    expect(server.requests.at(-1)?.path).toBe("/some/v1/models");
    expect(server.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${apiKey}`);
  });

  test("a redirect of a model server that the operator runs is not followed", async () => {
    answer = (_, response) => response.writeHead(307, { Location: "/elsewhere" }).end();
    const place = await world.made("openai", { apiKey, baseUrl: `http://localhost:${server.port}/v1` });
    const before = server.requests.length;

    expect((await world.trial(place)).at("test")).toMatchObject({ isAccepted: false, status: 307 });
    expect(server.requests.length).toBe(before + 1);
  });

  test("a model server that the operator runs is allowed only by its exact origin", async () => {
    for (const origin of [
      `http://127.0.0.1:${server.port}`,
      `https://localhost:${server.port}`,
      "http://localhost:1",
    ]) {
      const refused = await world.make("openai", { apiKey, baseUrl: `${origin}/v1` });
      expect(refused.text("data.issues.0.message")).toContain("MODEL_SERVERS");
    }
  });

  test("a request that is not a model call cannot reach a model server", async () => {
    const { safeFetch } = world.api.deps;
    const request = {
      url: `http://localhost:${server.port}/`,
      method: "GET",
      headers: [],
      timeoutMs: 1_000,
      hops: noHops,
    };
    await expect(safeFetch(request)).rejects.toThrow("This host cannot be called");
  });

  test("a model server with a metadata or link-local address is not called", async () => {
    const modelServers = new Set(["http://models.example"]);
    const resolvesTo = (address: string) =>
      createSafeFetch({ modelServers, resolve: async () => [{ address, family: address.includes(":") ? 6 : 4 }] });
    const request = {
      url: "http://models.example/v1/models",
      method: "GET",
      headers: [],
      timeoutMs: 1_000,
      hops: noHops,
      trusted: "models",
    } as const;
    for (const address of [
      "169.254.169.254",
      "100.100.100.200",
      "168.63.129.16",
      "fd00:ec2::254",
      "fe80::1",
      "0.0.0.0",
    ]) {
      await expect(resolvesTo(address)(request)).rejects.toThrow("The host's address is not public");
    }
  });
});

test("a workspace's mail server may not have a private address", async () => {
  const mails = await startMailServer();
  const world = await makeWorld({});
  const from = { email: "bots@example.com" };

  for (const host of ["127.0.0.1", "10.0.0.5", "localhost", "169.254.169.254"]) {
    const place = await world.made("smtp", { host, port: mails.port, from });
    expect((await world.trial(place)).at("test")).toEqual({
      isAccepted: false,
      status: null,
      message: "The mail server's address is not public",
    });
  }
  await mails.close();
  await world.api.close();
});
