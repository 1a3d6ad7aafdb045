import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { providers } from "../../../../src/core/credentials/providers.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../../support/chat.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

/** PARLEY_FLOWS sets another folder, with flows outside the repository. */
const folder = process.env["PARLEY_FLOWS"] ?? join(import.meta.dir, "../../../flows");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const read = (name: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, name), "utf8"));

/** Returns the same chat in the given version of the format. */
function sample(version: string): Record<string, unknown> {
  const isOld = Number(version) < 6;
  const start = { id: "start", type: "start", label: "Start", outgoingEdgeId: "first" };
  const request = { id: "call", type: "Webhook", options: {}, ...(version === "3" && { webhookId: "elsewhere" }) };
  const asked = { ...asks("text input"), mine: { kept: [1, null, "x"] } };
  const group = { id: "g", title: "G", graphCoordinates: { x: 1.5, y: -2 }, blocks: [says("Hello"), asked, request] };
  return {
    version,
    name: `In ${version}`,
    events: isOld ? null : [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "first" }],
    groups: isOld ? [{ id: "sg", title: "Start", graphCoordinates: { x: 0, y: 0 }, blocks: [start] }, group] : [group],
    edges: [
      { id: "first", from: isOld ? { blockId: "start", groupId: "sg" } : { eventId: "start" }, to: { groupId: "g" } },
    ],
    variables: [{ id: idOf("v"), name: "V", value: ["a", null] }],
    theme: { general: { font: "Lora" }, unknown: { deep: [] } },
    settings: { messenger: { isEnabled: false }, metadata: { tagManagerId: "GTM-1" }, own: 1 },
  };
}

function modelBlocks(): object[] {
  const place = { credentialsId: "clx1account", baseUrl: "https://models.example/v1", apiVersion: "2024-10-21" };
  const mapping = (...items: string[]) =>
    items.map((item, index) => ({ id: `r${index}`, item, variableId: idOf("Name") }));
  const tools = [
    {
      type: "function",
      name: "Wetter für",
      description: "Of {{Name}}",
      parameters: [{ type: "enum", name: "unit", description: "C or F", required: false, values: ["C", "F"] }],
      code: "return '{{Name}}' + unit",
    },
  ];
  const messages = [
    { id: "m1", role: "system", content: "Be kind" },
    { id: "m2", role: "Dialogue", dialogueVariableId: idOf("Name"), startsBy: "assistant" },
    { id: "m3", role: "user", content: "{{Name}}" },
  ];
  const chat = {
    ...{
      ...place,
      action: "Create chat completion",
      model: "any",
      messages,
      tools,
      temperature: "{{Name}}",
      maxTokens: 100,
    },
    responseMapping: mapping("Message content", "Total tokens", "Prompt tokens", "Completion tokens"),
    timeout: 60,
  };
  const generate = {
    ...{ ...place, action: "Generate variables", model: "any", prompt: "{{Name}}", temperature: 0.5 },
    variablesToExtract: [
      { type: "enum", variableId: idOf("Name"), description: "A", isRequired: false, values: ["S"] },
    ],
  };
  const askModel = {
    ...{ ...place, action: "Ask Model", model: "any", message: "{{Name}}", instructions: "Be brief" },
    ...{ responseIdVariableId: idOf("Name"), webSearchEnabled: true, codeInterpreterEnabled: false, functions: tools },
    ...{ fileSearchVectorStoreIds: ["vs_1"], fileSearchMaxNumResults: 3, fileSearchScoreThreshold: 0.5 },
    responseMapping: mapping("Message", "Response ID"),
  };
  const assistant = {
    ...{
      ...place,
      action: "Ask Assistant",
      assistantId: "asst_1",
      threadVariableId: idOf("Name"),
      message: "{{Name}}",
    },
    ...{ additionalInstructions: "Be brief", functions: [{ name: "now", code: "return 1" }] },
    responseMapping: mapping("Message", "Thread ID"),
  };
  const speech = {
    ...{ ...place, action: "Create speech", model: "tts-1", input: "{{Name}}", voice: "nova" },
    ...{ instructions: "Slowly", saveUrlInVariableId: idOf("Name") },
  };
  const transcription = {
    ...{ ...place, action: "Create transcription", model: "whisper-1", url: "{{Name}}", prompt: "Names" },
    transcriptionVariableId: idOf("Name"),
  };
  const sequence = { assistantMessagesVariableId: idOf("Name"), userMessagesVariableId: idOf("Email") };
  const legacy = {
    ...{ ...place, task: "Create chat completion", model: "gpt-3.5-turbo", advancedSettings: { temperature: 0.3 } },
    messages: [
      { id: "m1", role: "Messages sequence ✨", content: sequence },
      { id: "m2", role: "user", content: "{{Name}}", name: "ana" },
    ],
    responseMapping: [{ id: "r1", valueToExtract: "Message content", variableId: idOf("Name") }],
  };
  const fallbacks = [{ type: "groq", credentialsId: "clx1other", model: "any" }];
  const stored: [type: string, options: object][] = [
    ...[{ ...chat, fallbacks }, generate, askModel, assistant, speech, transcription].map(
      (options): [string, object] => ["openai", options],
    ),
    [
      "anthropic",
      { ...chat, action: "Create Chat Message", systemMessage: "Be kind", responseMapping: mapping("Message content") },
    ],
    ["anthropic", generate],
    ["mistral", chat],
    ["mistral", generate],
    ...providers
      .filter(({ type }) => !["openai", "anthropic", "mistral"].includes(type))
      .map(({ type }): [string, object] => [type, chat]),
    ["OpenAI", legacy],
    [
      "OpenAI",
      { ...place, task: "Create speech", input: "{{Name}}", voice: "alloy", saveUrlInVariableId: idOf("Name") },
    ],
  ];
  return stored.map(([type, options], index) => ({ id: `model-${index}`, type, options }));
}

describe("an export, its import and a second export", () => {
  const known = files.map((name): [string, Record<string, unknown>] => [name, read(name)]);
  const samples = ["3", "4", "5", "6", "6.1"].map((version): [string, Record<string, unknown>] => [
    `version ${version}`,
    sample(version),
  ]);

  test.each([...known, ...samples])(
    "two exports of %s with an import in between are equal except for ids and times",
    async (_name, bot) => {
      for (const path of ["bots", "typebots"]) {
        const noun = path.slice(0, -1);
        const { folderId: _, ...fields } = bot;
        const made = await post("bots", { workspaceId, bot: fields });
        const first = await get(`${path}/${made.text("bot.id")}/export`);
        const imported = await post(`${path}/import`, { workspaceId, [noun]: first.body });
        const second = await get(`${path}/${imported.text(`${noun}.id`)}/export`);

        expect(first.status).toBe(200);
        expect(withoutStamps(second.body)).toEqual(withoutStamps(first.body));
        expect(second.at("id")).not.toBe(first.at("id"));
        const into = await post(`bots/${made.text("bot.id")}/import`, {
          bot: (await get(`bots/${made.text("bot.id")}/export`)).body,
        });
        expect(into.status).toBe(200);
        expect(withoutStamps((await get(`${path}/${made.text("bot.id")}/export`)).body)).toEqual(
          withoutStamps(first.body),
        );
      }
    },
  );

  test("model blocks are preserved by an export and a repeated import", async () => {
    const blocks = modelBlocks();
    const flow = {
      ...flowOf(blocks),
      name: "Models",
      settings: { general: { systemMessages: { noAnswer: "Nobody" } } },
    };
    for (const path of ["bots", "typebots"]) {
      const noun = path.slice(0, -1);
      const imported = await post(`${path}/import`, { workspaceId, [noun]: flow });
      const exported = await get(`${path}/${imported.text(`${noun}.id`)}/export`);
      const again = await post(`${path}/import`, { workspaceId, [noun]: exported.body });

      expect(exported.at("groups.0.blocks")).toEqual(blocks);
      expect(exported.at("settings")).toEqual(flow.settings);
      expect(again.at(`${noun}.groups.0.blocks`)).toEqual(blocks);
    }
    const { report } = Object((await post("bots/import", { workspaceId, bot: flow })).body);
    expect(report.counts).toEqual({ exact: blocks.length, approximated: 0, notRun: 0 });
    expect(report.missingCredentials).toHaveLength(blocks.length + 1);
  });

  test("an export preserves unknown properties of blocks and settings", async () => {
    const made = await post("bots", { workspaceId, bot: sample("6.1") });
    const own = await get(`bots/${made.text("bot.id")}/export`);
    const theirs = await get(`typebots/${made.text("bot.id")}/export`);

    expect(own.at("groups.0.blocks.1.mine")).toEqual({ kept: [1, null, "x"] });
    expect(own.at("settings")).toEqual(sample("6.1")["settings"]);
    expect(theirs.at("settings")).toEqual({
      whatsApp: { isEnabled: false },
      metadata: { googleTagManagerId: "GTM-1" },
      own: 1,
    });
    expect((await post("bots/import", { workspaceId, bot: theirs.body })).at("bot.settings")).toEqual(
      own.at("settings"),
    );
  });
});

test("a check of an import reports the same findings as the import", async () => {
  const bot = { ...sample("6"), name: "Looked at" };
  const checked = await api.client.post("/api/v1/bots/import/check", {
    token: owner.token,
    body: { workspaceId, bot },
  });
  const query = { workspaceId, search: "Looked at" };
  const found = await api.client.get("/api/v1/bots", { token: owner.token, query });

  expect(checked.body).toMatchObject({ name: "Looked at", groupCount: 1 });
  expect(found.list("bots")).toEqual([]);
  const imported = await api.client.post("/api/v1/bots/import", { token: owner.token, body: { workspaceId, bot } });
  expect(checked.at("report")).toEqual(imported.at("report"));
  const broken = { ...sample("3"), groups: [] };
  const refused = await api.client.post("/api/v1/bots/import/check", {
    token: owner.token,
    body: { workspaceId, bot: broken },
  });
  expect(refused.at("code")).toBe("flow.no_start");
});

describe("the report of an import", () => {
  test("the report of an import describes how each block runs", async () => {
    const linked = (await post("bots", { workspaceId, bot: { name: "Linked" } })).text("bot.id");
    const elsewhere = newId();
    const flow = flowOf([
      says("Hello"),
      { id: "sheet", type: "Google Sheets", options: { credentialsId: "their-sheet" } },
      { id: "odd", type: "text input", options: { labels: { placeholder: "?" }, sparkle: true } },
      { id: "new", type: "Telepathy" },
      { id: "mail", type: "Email", options: { credentialsId: "default", recipients: ["a@example.com"] } },
      { id: "pay", type: "payment input", options: { credentialsId: elsewhere } },
      { id: "here", type: "Typebot link", options: { typebotId: linked } },
      { id: "self", type: "Typebot link", options: { typebotId: "current" } },
      { id: "there", type: "Typebot link", options: { typebotId: "clx1old" } },
    ]);

    const { at, list } = await post("bots/import", { workspaceId, bot: flow });

    expect(at("report.counts")).toEqual({ exact: 7, approximated: 1, notRun: 1 });
    const byId = Object.fromEntries(
      list("report.blocks").map((_, index) => [
        at(`report.blocks.${index}.blockId`),
        at(`report.blocks.${index}.fidelity`),
      ]),
    );
    expect(byId).toMatchObject({ [idOf("says Hello")]: "exact", sheet: "exact", odd: "approximated", new: "notRun" });
    expect(at("report.blocks.2.reasons")).toEqual(["Parley does not use options.sparkle."]);
    expect(at("report.missingCredentials")).toEqual([
      { groupId: idOf("g0"), blockId: "sheet", id: "their-sheet" },
      { groupId: idOf("g0"), blockId: "pay", id: elsewhere },
    ]);
    expect(at("report.missingBots")).toEqual([{ groupId: idOf("g0"), blockId: "there", id: "clx1old" }]);
  });

  test("the report of an import lists missing secrets and files", async () => {
    const gone = "http://localhost/api/workspace-files/01h455vb4pex5vsknk084sn02q.png";
    const elsewhere = gone.replace("localhost", "bots.example.org");
    const webhook = { url: "https://crm.example.com/{{secret.CRM_KEY}}", body: "{{secret.CRM_KEY}}" };
    const blocks = [
      ...[gone, elsewhere, gone].map((url, index) => ({ id: `picture${index}`, type: "image", content: { url } })),
      { id: "call", type: "Webhook", options: { webhook } },
    ];
    const { at } = await api.client.post("/api/v1/bots/import", {
      token: owner.token,
      body: { workspaceId, bot: { name: "Came", ...flowOf(blocks) } },
    });

    expect(at("report.missingSecrets")).toEqual(["CRM_KEY"]);
    expect(at("report.missingFiles")).toEqual([gone]);
  });

  test("the report of an import marks a version 3 request as approximated", async () => {
    const { at } = await post("bots/import", { workspaceId, bot: sample("3") });
    expect(at("report.blocks.2")).toMatchObject({ blockId: "call", fidelity: "approximated" });
    expect(at("report.counts")).toEqual({ exact: 2, approximated: 1, notRun: 0 });
  });
});

describe("an import into an existing bot", () => {
  test("an import into an existing bot replaces the flow", async () => {
    const before = { ...sample("6"), name: "Mine", publicId: "mine-it-is" };
    const botId = (await post("bots", { workspaceId, bot: before })).text("bot.id");

    const answer = await post(`bots/${botId}/import`, { bot: { ...sample("5"), name: "Theirs" } });

    expect(answer.body).toMatchObject({ bot: { name: "Mine", publicId: "mine-it-is", version: "6.1" } });
    const number = answer.at("replacedNumber");
    const version = await get(`bots/${botId}/publications/${number}`);
    const { name: _, ...flow } = sample("6");
    expect(version.at("publication.isCurrent")).toBe(false);
    expect((await post(`bots/${botId}/publications/${number}/restore`, {})).at("bot")).toMatchObject(flow);
  });

  test("only one of several imports with the same updatedAt succeeds", async () => {
    const made = await post("bots", { workspaceId, bot: sample("6") });
    const [botId, updatedAt] = [made.text("bot.id"), made.text("bot.updatedAt")];

    const answers = await Promise.all(
      ["4", "5", "6", "6.1"].map((version) => post(`bots/${botId}/import`, { bot: sample(version), updatedAt })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const [lost] = answers.filter(({ status }) => status === 409);
    expect(lost?.at("code")).toBe("bot.conflict");
    expect((await get(`bots/${botId}/publications`)).list("publications")).toHaveLength(1);
  });

  test.each([
    ["invalid JSON", "x".repeat(9_000_000), "request.malformed", 400],
    ["more than 10 MB", "x".repeat(10 * 1024 * 1024 + 1), "request.too_large", 413],
    [
      "a list of four million numbers as groups",
      `{"bot":{"groups":[${"0,".repeat(4_000_000)}0]}}`,
      "request.invalid",
      400,
    ],
    ["a string as groups", JSON.stringify({ bot: { groups: "y".repeat(9_000_000) } }), "request.invalid", 400],
    ["an empty object", "{}", "request.invalid", 400],
  ])("an import into an existing bot rejects %s, and changes nothing", async (_what, rawBody, code, status) => {
    const made = await post("bots", { workspaceId, bot: sample("6") });
    const botId = made.text("bot.id");

    const answer = await api.client.post(`/api/v1/bots/${botId}/import`, { token: owner.token, rawBody });

    expect([answer.at("code"), answer.status]).toEqual([code, status]);
    expect((await get(`bots/${botId}`)).at("bot")).toEqual(made.at("bot"));
    expect((await get(`bots/${botId}/publications`)).at("publications")).toEqual([]);
  });
});

function withoutStamps(file: unknown): object {
  const { id: _, createdAt: __, updatedAt: ___, ...rest } = Object(file);
  return rest;
}

function get(path: string) {
  return api.client.get(`/api/v1/${path}`, { token: owner.token });
}

function post(path: string, body: object) {
  return api.client.post(`/api/v1/${path}`, { token: owner.token, body });
}
