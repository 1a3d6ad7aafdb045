import { afterAll, beforeAll, expect, test } from "bun:test";
import { blocks } from "../../src/core/blocks/index.ts";
import { startFakeModel } from "../fake-model/server.ts";
import { searchPath } from "../fake-providers/address-search.ts";
import { person, serviceAccount } from "../fake-providers/google/accounts.ts";
import { startFakeGoogle } from "../fake-providers/google/server.ts";
import { fakes } from "../fake-providers/index.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { startFakeStripe } from "../fake-providers/stripe.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { flowOf, publish, say, says, start } from "../support/chat.ts";
import { testKey } from "../support/events.ts";
import { outsideFetch, startOutside } from "../support/outside.ts";
import { createThreads } from "../support/threads.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

type Block = { readonly type: string; readonly [key: string]: unknown };

let api: TestApi;
let stripe: Awaited<ReturnType<typeof startFakeStripe>>;
let client: { readonly token: string; readonly workspaceId: string };
let outsideUrl: string;
let spreadsheetId: string;
/** The id of the workspace's credentials of each type. */
const accounts: Record<string, string> = {};

beforeAll(async () => {
  const threads = createThreads({ count: 1 });
  const [model, google, pays, outside, ...others] = await Promise.all([
    startFakeModel(),
    startFakeGoogle(),
    startFakeStripe(),
    startOutside((_, response) => void response.setHeader("content-type", "application/json").end('{"word":"yes"}')),
    ...fakes.filter((starts) => starts !== startFakeStripe).map((starts) => starts({ port: 0 })),
  ]);
  stripe = pays;
  const providers = [google, pays, ...others];
  outsideUrl = outside.url("/hook");
  spreadsheetId = google.sheets.make({ rows: [["Name"]], sharedWith: [serviceAccount.clientEmail] });
  const origins = new Set(providers.map(({ origin }) => origin));
  const servers = { modelServers: new Set([model.origin]), providerServers: origins };
  api = await createTestApi({
    threads,
    safeFetch: outsideFetch(servers),
    config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls(providers), MODEL_SERVERS: model.origin },
  });
  const { safeStream } = api.deps;
  Object.assign(api.deps, {
    // Most model providers have one address, which no setting moves.
    safeStream: (request: Parameters<typeof safeStream>[0]) => {
      const url = request.url.replace(/^https:.*?(?=\/(chat\/completions|messages|responses)$)/, model.baseUrl);
      return safeStream(url === request.url ? request : { ...request, url, trusted: "models" });
    },
  });
  cleanups.push(() => threads.close(), api.close, ...[model, outside, ...providers].map(({ close }) => close));
  const owner = await api.makeUser();
  client = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };

  const apiKey = "planted-key-of-every-service";
  const { account, refreshToken } = person;
  const data: Record<string, object> = {
    smtp: { host: "mail.example.com", port: 25, from: { email: "team@example.com" } },
    stripe: { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1", liveWebhookSecret: "whsec_live_1" },
    "google sheets": serviceAccount,
    gmail: {
      ...{ account, refreshToken },
      ...{ clientId: "client-1.apps.googleusercontent.com", clientSecret: "GOCSPX-planted-client-secret-7f3a" },
    },
    "address-search": {
      ...{ url: `${others.find(({ name }) => name === "address-search")?.origin}${searchPath}` },
      ...{ header: "X-Key", key: apiKey },
    },
    zendesk: { conversationsKeyId: "app_1", conversationsSecretKey: "planted-zendesk-secret-planted-zendesk" },
    ...Object.fromEntries(
      ["elevenlabs", "nocodb", "chat-node", "segment", "posthog", "dify-ai", "blink"].map((type) => [type, { apiKey }]),
    ),
    ...Object.fromEntries(models.map((type) => [type, { apiKey }])),
  };
  for (const [type, kept] of Object.entries(data)) {
    const path = `/api/v1/workspaces/${client.workspaceId}/credentials`;
    const made = await api.client.post(path, { token: client.token, body: { type, name: type, data: kept } });
    accounts[type] = made.text("credentials.id");
  }
});

const models = ["openai", "anthropic", "mistral", "groq", "deepseek", "perplexity", "open-router", "together-ai"];
const url = "https://www.example.com/picture.png";
const variableId = idOf("Name");

/** Every block in the order of a chat; an input is answered by the text beside it, null: nothing, to skip it. */
function everyBlock(linkedId: string): readonly (readonly [Block, reply?: string | null])[] {
  const withAccount = (type: string, options: object, kind = type): Block => ({
    type,
    options: { credentialsId: accounts[kind], ...options },
  });
  const messages = [{ id: "m1", role: "user", content: "Say yes" }];
  const webhook = { url: outsideUrl, method: "GET" };
  return [
    [says("Welcome", idOf("welcome"))],
    [{ type: "image", content: { url } }],
    [{ type: "video", content: { url: "https://www.youtube.com/watch?v=abc" } }],
    [{ type: "embed", content: { url } }],
    [{ type: "audio", content: { url } }],
    [{ type: "text input", options: { variableId } }, "Ana"],
    [{ type: "number input", options: { variableId: idOf("Email") } }, "4"],
    [{ type: "email input", options: { variableId: idOf("Email") } }, "ana@example.com"],
    [{ type: "url input", options: { variableId: idOf("Address") } }, "https://www.example.com"],
    [{ type: "date input", options: { variableId: idOf("Address") } }, "24/11/2026"],
    [{ type: "time input", options: { variableId: idOf("Address") } }, "12:30"],
    [{ type: "phone number input", options: { variableId: idOf("Address") } }, "+33612345678"],
    [{ type: "choice input", options: { variableId: idOf("Address") }, items: [{ id: "c1", content: "Yes" }] }, "Yes"],
    [
      {
        ...{ type: "picture choice input", options: { variableId: idOf("Address") } },
        items: [{ id: "p1", title: "Sun", pictureSrc: url }],
      },
      "Sun",
    ],
    [{ type: "rating input", options: { variableId: idOf("Address") } }, "9"],
    [
      { type: "ranking input", options: { variableId: idOf("Address") }, items: [{ id: "r1", content: "Price" }] },
      "Price",
    ],
    [
      {
        type: "matrix input",
        options: { variableId: idOf("Address"), rows: [{ title: "Room" }], columns: ["Good", "Bad"] },
      },
      "Room: Good",
    ],
    [withAccount("address input", { variableId: idOf("Address") }, "address-search"), "12 Main Street, Springfield"],
    [{ type: "file input", options: { isRequired: false, variableId: idOf("Address") } }, null],
    [{ type: "signature input", options: { isRequired: false, variableId: idOf("Address") } }, null],
    [
      {
        ...{ type: "cards", options: { variableId: idOf("Address") } },
        items: [{ id: "k1", title: "Tea", paths: [{ id: "k1p", text: "Take it" }] }],
      },
      "k1p",
    ],
    [
      withAccount("payment input", { amount: "5", currency: "EUR", failure: { isSkipOffered: true } }, "stripe"),
      "Success",
    ],
    [
      {
        type: "Set variable",
        options: { variableId: idOf("Address"), type: "Callback address", blockId: idOf("webhook") },
      },
    ],
    [says("{{Address}}", idOf("address"))],
    [{ type: "webhook", options: { responseVariableMapping: [{ id: "w", variableId, bodyPath: "data.name" }] } }],
    [
      {
        type: "Condition",
        items: [
          {
            ...{ id: "if", outgoingEdgeId: "to rest" },
            content: { comparisons: [{ id: "is", variableId, comparisonOperator: "Equal to", value: "Grace" }] },
          },
        ],
      },
    ],
    [{ type: "Code", options: { name: "Code", content: "setVariable('Email', 'grace@example.com')" } }],
    [{ type: "Wait", options: { secondsToWaitFor: "1" } }],
    [{ type: "Jump", options: { groupId: idOf("aside") } }],
    [{ type: "Typebot link", options: { typebotId: linkedId, mergeResults: true } }],
    [{ type: "Webhook", options: { webhook } }],
    [{ type: "Zapier", options: { webhook } }],
    [{ type: "Make.com", options: { webhook } }],
    [{ type: "Pabbly", options: { webhook } }],
    [
      withAccount(
        "Email",
        { recipients: ["team@example.com"], subject: "New", body: "{{Name}}", isCustomBody: true },
        "smtp",
      ),
    ],
    [withAccount("gmail", { action: "Send email", to: "team@example.com", subject: "New", body: "{{Name}}" })],
    [
      withAccount(
        "Google Sheets",
        {
          spreadsheetId,
          sheetId: "0",
          action: "Insert a row",
          cellsToInsert: [{ id: "s", column: "Name", value: "{{Name}}" }],
        },
        "google sheets",
      ),
    ],
    [{ type: "Google Analytics", options: { trackingId: "G-1", action: "lead" } }],
    [{ type: "Pixel", options: { pixelId: "1", eventType: "Lead" } }],
    [{ type: "Chatwoot", options: { websiteToken: "token" } }],
    [withAccount("zendesk", { action: "Open Web Widget", webWidgetKey: "widget" })],
    [withAccount("chat-node", { action: "Send Message", botId: "known-bot", message: "{{Name}}" })],
    [
      withAccount("nocodb", {
        action: "Create Record",
        tableId: "table",
        fields: [{ id: "f", key: "Name", value: "{{Name}}" }],
      }),
    ],
    [
      {
        type: "qr-code",
        options: { action: "Generate a QR Code", data: "{{Name}}", saveUrlInVariableId: idOf("Address") },
      },
    ],
    [{ type: "cal-com", options: { action: "Book event", link: "ana/call" } }],
    [withAccount("segment", { action: "Track", eventName: "Lead", userId: "{{Email}}" })],
    [withAccount("posthog", { action: "Capture", event: "lead", distinctId: "{{Email}}" })],
    [withAccount("blink", { action: "Get Users", filter: { by: "User ID", value: "u-1" } })],
    [withAccount("dify-ai", { action: "Create Chat Message", query: "{{Name}}" })],
    [
      withAccount("elevenlabs", {
        action: "Convert text to speech",
        text: "{{Name}}",
        voiceId: "voice1",
        saveUrlInVariableId: idOf("Address"),
      }),
    ],
    ...models.map((type): [Block] => [
      withAccount(type, {
        action: type === "anthropic" ? "Create Chat Message" : "Create chat completion",
        model: "echo",
        messages,
      }),
    ]),
    [withAccount("OpenAI", { task: "Create chat completion", model: "echo", messages }, "openai")],
    [says("{{Name}} was here", idOf("end"))],
    [
      {
        type: "AB test",
        items: [
          { id: "a", path: "a", outgoingEdgeId: "to away" },
          { id: "b", path: "b", outgoingEdgeId: "to away" },
        ],
      },
    ],
  ];
}

/** The flow, and what its visitor says to the input of each type. */
function everyType(linkedId: string) {
  const all = everyBlock(linkedId);
  const listed = all.map(([block]) => ({ id: idOf(block.type), ...block }));
  const condition = listed.findIndex(({ type }) => type === "Condition") + 1;
  const groupOf = (id: string, contents: readonly object[]) => ({
    ...{ id: idOf(id), title: id, graphCoordinates: { x: 0, y: 0 } },
    blocks: contents,
  });
  const flow = flowOf(listed.slice(0, condition));
  const groups = [
    ...flow.groups,
    groupOf("rest", listed.slice(condition)),
    groupOf("aside", [says("An aside", idOf("aside says")), { id: idOf("Return"), type: "Return" }]),
    groupOf("away", [{ id: idOf("Redirect"), type: "Redirect", options: { url } }]),
  ];
  const edges = [
    ...flow.edges,
    { id: "to rest", from: { blockId: idOf("Condition"), itemId: "if" }, to: { groupId: idOf("rest") } },
    { id: "to away", from: { blockId: idOf("AB test"), itemId: "a" }, to: { groupId: idOf("away") } },
  ];
  const variables = [...flow.variables, { id: idOf("Address"), name: "Address" }];
  return {
    flow: { ...flow, groups, edges, variables },
    replies: new Map(all.flatMap(([{ type }, reply]) => (reply === undefined ? [] : [[type, reply]]))),
  };
}

const typesIn = ({ groups }: { groups: readonly { readonly blocks: readonly object[] }[] }): string[] =>
  groups.flatMap((group) => group.blocks.map((block) => String(Object(block).type)));

test("one flow with every type of block runs to its end, and the linter has nothing to say but which credentials are missing", async () => {
  const linked = await publish(api.client, client, flowOf([says("Linked")]));
  const { flow, replies } = everyType(linked.botId);
  expect(new Set(typesIn(flow))).toEqual(new Set(blocks.keys()));
  const { botId, publicId } = await publish(api.client, client, flow);
  const findings = async (bot: object) => {
    const answer = await api.client.post(`/api/v1/bots/${botId}/lint`, { token: client.token, body: { bot } });
    return answer.list("findings").map((finding) => `${Object(finding).rule}: ${Object(finding).message}`);
  };

  const began = await start(api.client, publicId);
  const [sessionId, resultId] = [began.text("sessionId"), began.text("resultId")];
  const seen = new Set<string>();
  const said: string[] = [];
  let step: object = Object(began.body);
  for (;;) {
    const { messages = [], input, clientSideActions = [] } = Object(step);
    said.push(...messages.map((message: unknown) => Object(message).content?.plainText));
    const awaited = clientSideActions.find((action: unknown) => Object(action).expectsDedicatedReply);
    const bookings = messages.filter((message: unknown) => Object(message).type === "custom-embed");
    const waits: string | undefined = input?.type ?? awaited?.type ?? bookings.at(-1)?.type;
    if (waits === undefined) break;
    if (seen.has(waits)) throw new Error(`It asks again for ${waits}: ${JSON.stringify(step)}`);
    seen.add(waits);
    if (waits === "payment input") stripe.confirm(input.runtimeOptions.paymentIntentSecret);
    if (waits === "listenForWebhook") {
      const [, token] = /callbacks\/(\S+)/.exec(said.join("\n")) ?? [];
      await api.client.post(`/api/v1/callbacks/${token}`, { body: { name: "Grace" } });
      step = Object((await api.client.get(`/api/v1/sessions/${sessionId}`)).list("session.steps").at(-1));
    } else {
      const reply = replies.has(waits) ? (replies.get(waits) ?? undefined) : "ok";
      step = Object((await say(api.client, sessionId, reply)).body);
    }
  }

  const logs = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token: client.token });
  expect(
    logs
      .list("logs")
      .map(Object)
      .filter(({ status }) => status === "error"),
  ).toEqual([]);
  expect(said).toContain("Grace was here");
  expect(await findings(flow)).toEqual([]);
  const imported = JSON.parse(JSON.stringify(flow, (key, value) => (key === "credentialsId" ? "gone" : value)));
  expect(new Set((await findings(imported)).map((finding) => finding.split(":")[0]))).toEqual(
    new Set(["credentials_missing"]),
  );
});
