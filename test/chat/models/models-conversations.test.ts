import { afterAll, beforeAll, expect, test } from "bun:test";
import { isPublicAddress } from "../../../src/core/flow/outgoing-rules.ts";
import { createSafeStream } from "../../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies } from "../../../src/service/dependencies.ts";
import { thoughts } from "../../fake-model/thinking.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { createModelChats, type ModelChats } from "../../support/model-chats.ts";
import { type OutsideServer, startOutside } from "../../support/outside.ts";
import { askToUpload, put } from "../../support/uploads.ts";

let chats: ModelChats;
/** A client of the service. The service's model calls can also reach fake servers on this machine. */
let client: Client;
let pictures: OutsideServer;

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const asImage = { type: "image_url", image_url: { url: `data:image/png;base64,${png.toString("base64")}` } };

beforeAll(async () => {
  chats = await createModelChats();
  pictures = await startOutside(({ path }, response) => {
    if (path === "/moved.png") response.writeHead(302, { Location: "/a.png" }).end();
    else response.end(path.endsWith(".png") ? png : "<html>No picture</html>");
  });
  const safeStream = createSafeStream({
    permits: (address, rules) => address === "127.0.0.1" || isPublicAddress(address, rules),
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    modelServers: new Set([chats.model.origin]),
  });
  const app = createApp({ ...createDependencies(chats.api.deps), safeStream });
  client = createClient({ handle: (request) => app.handle(request) });
});
afterAll(async () => {
  await pictures.close();
  await chats.close();
});

const model = (options: object) => ({
  id: "model",
  type: "openai",
  options: {
    action: "Create chat completion",
    credentialsId: chats.credentialsId,
    model: "echo",
    responseMapping: [{ variableId: idOf("Email") }],
    ...options,
  },
});

const remembers = (name: string, id: string) => ({
  id,
  type: "Set variable",
  options: {
    variableId: idOf("Tags"),
    expressionToEvaluate: `return [...({{Tags}} ?? []), {{${name}}} ?? ""]`,
    isCode: true,
  },
});

async function begin(first: readonly object[], again: readonly object[]) {
  const flow = flowOf(first, again);
  const last = { ...again.at(-1), outgoingEdgeId: "back" };
  const groups = flow.groups.map((group, index) => ({
    ...group,
    blocks:
      index === 1
        ? [...again.slice(0, -1), last]
        : [...first.slice(0, -1), { ...first.at(-1), outgoingEdgeId: idOf("e1") }],
  }));
  const edges = [...flow.edges, { id: "back", from: { blockId: "last" }, to: { groupId: idOf("g1") } }];
  const variables = [...flow.variables, { id: idOf("Tags"), name: "Tags" }];
  const { token, workspaceId } = chats;
  const bot = await publish(client, { token, workspaceId }, { ...flow, groups, edges, variables });
  const started = await start(client, bot.publicId);
  const sessionId = started.text("sessionId");
  const shown: unknown[] = [...started.list("messages")];
  const from = chats.model.asked.length;
  return {
    sessionId,
    async say(message: unknown) {
      const answer = await say(client, sessionId, message);
      shown.push({ said: message }, ...answer.list("messages"));
      return answer.at("messages.*.content.plainText");
    },
    /** The messages of the last request to the model. */
    told: () => chats.model.asked.at(-1)?.body["messages"],
    calls: () => chats.model.asked.length - from,
    async transcript() {
      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/transcript`;
      return (await client.get(path, { token })).at("transcript.*.text");
    },
    async logs() {
      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
      return (await client.get(path, { token })).at("logs.*.description");
    },
  };
}

const question = asks("text input", { variableId: idOf("Name") });

test("the model gets every turn of a dialogue that the visitor starts", async () => {
  const chat = await begin(
    [says("Ask me")],
    [
      question,
      remembers("Name", "asked"),
      model({
        messages: [
          { role: "system", content: "Be kind" },
          { role: "Dialogue", dialogueVariableId: idOf("Tags") },
        ],
      }),
      remembers("Email", "answered"),
      says("{{Email}}"),
    ],
  );

  expect(await chat.say("One")).toEqual(["You said: One"]);
  expect(await chat.say("{{Email}}")).toEqual(["You said: {{Email}}"]);
  expect(await chat.say("Three")).toEqual(["You said: Three"]);
  expect(chat.told()).toEqual([
    { role: "system", content: "Be kind" },
    { role: "user", content: "One" },
    { role: "assistant", content: "You said: One" },
    { role: "user", content: "{{Email}}" },
    { role: "assistant", content: "You said: {{Email}}" },
    { role: "user", content: "Three" },
  ]);
  expect(await chat.transcript()).toEqual([
    "Ask me",
    ...["One", "You said: One", "{{Email}}", "You said: {{Email}}", "Three", "You said: Three"],
  ]);
});

test("the greeting of a bot has the role of the assistant in a dialogue", async () => {
  const greets = {
    id: "greets",
    type: "Set variable",
    options: { variableId: idOf("Email"), expressionToEvaluate: "Hello" },
  };
  const chat = await begin(
    [greets, remembers("Email", "greeted"), says("{{Email}}", "greeting")],
    [
      question,
      remembers("Name", "asked"),
      model({ messages: [{ role: "Dialogue", dialogueVariableId: idOf("Tags"), startsBy: "assistant" }] }),
      remembers("Email", "answered"),
      says("{{Email}}"),
    ],
  );

  expect(await chat.say("One")).toEqual(["You said: One"]);
  expect(await chat.say("Two")).toEqual(["You said: Two"]);
  expect(chat.told()).toEqual([
    { role: "assistant", content: "Hello" },
    { role: "user", content: "One" },
    { role: "user", content: "You said: One" },
    { role: "user", content: "Two" },
  ]);
});

test("a missing answer in a dialogue leaves an empty turn", async () => {
  const chat = await begin(
    [says("Ask me")],
    [
      question,
      remembers("Name", "asked"),
      model({
        model: "{{Name}}",
        messages: [{ role: "Dialogue", dialogueVariableId: idOf("Tags") }],
      }),
      remembers("Email", "answered"),
      says("{{Email}}"),
    ],
  );

  expect(await chat.say("echo")).toEqual(["You said: echo"]);
  // The sentence about the failure is a separate bubble, because the next block is not the bubble with the answer.
  expect(await chat.say("fails-402")).toEqual(["There is no answer at the moment. Please, try again.", ""]);
  expect(await chat.say("echo")).toEqual(["You said: echo"]);
  expect(chat.told()).toEqual([
    { role: "user", content: "echo" },
    { role: "assistant", content: "You said: echo" },
    { role: "user", content: "fails-402" },
    { role: "user", content: "echo" },
  ]);
  expect(await chat.logs()).toEqual(["The account at the provider has no credit"]);
});

test("a model gets pictures from public addresses and the visitor's uploads", async () => {
  const media = { attachments: { isEnabled: true, saveVariableId: idOf("Tags"), visibility: "Private" } };
  const sees = { messages: [{ role: "user", content: "Look:\n\n{{Name}}\n\n{{Tags}}" }] };
  const chat = await begin(
    [says("Show me")],
    [asks("text input", { variableId: idOf("Name"), ...media }), model(sees), says("Seen")],
  );
  const uploaded = await askToUpload(client, chat.sessionId, { fileName: "a.png", fileType: "image/png" });
  await put(client, uploaded, new Uint8Array(png));
  const mine = uploaded.text("fileUrl");

  expect(await chat.say(pictures.url("/a.png"))).toEqual(["Seen"]);
  expect(chat.told()).toEqual([{ role: "user", content: [{ type: "text", text: "Look:" }, asImage] }]);
  await chat.say(pictures.url("/moved.png"));
  expect(chat.told()).toEqual([{ role: "user", content: [{ type: "text", text: "Look:" }, asImage] }]);
  const seen = pictures.requests.length;
  for (const none of [pictures.url("/page.html"), "http://169.254.169.254/a.png"]) {
    await chat.say(none);
    expect(chat.told()).toEqual([{ role: "user", content: expect.stringContaining(none) }]);
  }
  await chat.say({ type: "text", text: "This one", attachedFileUrls: [mine] });
  expect(chat.told()).toEqual([
    { role: "user", content: [{ type: "text", text: "Look:" }, { type: "text", text: "This one" }, asImage] },
  ]);

  expect(pictures.requests.slice(seen).map(({ path }) => path)).toEqual(["/page.html"]);
  expect(chat.calls()).toBe(5);
  expect(await chat.logs()).toEqual([
    expect.stringContaining("stays text: it is not an image"),
    expect.stringContaining("stays text: This address is not public"),
  ]);
});

test("a picture belongs to the message that mentions its variable", async () => {
  const media = { attachments: { isEnabled: true, saveVariableId: idOf("Tags"), visibility: "Private" } };
  const sees = { messages: [{ role: "user", content: "What is in {{Tags}}? {{Name}}" }] };
  const chat = await begin(
    [says("Show me")],
    [asks("text input", { variableId: idOf("Name"), ...media }), model(sees), says("Seen")],
  );
  const uploaded = await askToUpload(client, chat.sessionId, { fileName: "a.png", fileType: "image/png" });
  await put(client, uploaded, new Uint8Array(png));
  const mine = uploaded.text("fileUrl");

  await chat.say({ type: "text", text: "Tell me", attachedFileUrls: [mine] });

  const words = { type: "text", text: `What is in ${mine}? Tell me` };
  expect(chat.told()).toEqual([{ role: "user", content: [words, asImage] }]);
});

test("a chat converts a text into speech and transcribes the speech", async () => {
  const finds = {
    ...model({
      action: "Generate variables",
      model: "json",
      prompt: "{{Name}}",
      variablesToExtract: [{ variableId: idOf("Email"), type: "string", description: "An e-mail address" }],
    }),
    id: "finds",
  };
  const speaks = {
    ...model({ action: "Create speech", input: "Is it {{Email}}?", voice: "nova", saveUrlInVariableId: idOf("Tags") }),
    id: "speaks",
  };
  const plays = { id: "plays", type: "audio", content: { url: "{{Tags}}" } };
  const writes = {
    ...model({ action: "Create transcription", url: "{{Tags}}", transcriptionVariableId: idOf("Name") }),
    id: "writes",
  };
  const chat = await begin(
    [says("Who are you?")],
    [question, finds, speaks, plays, writes, says("{{Email}}: {{Name}}")],
  );

  const texts = await chat.say('Ana, answer {"Email":"ana@example.com"}');

  expect(texts).toEqual([undefined, "ana@example.com: What was said"]);
  const [speech, transcription] = chats.model.asked.slice(-2);
  expect(speech?.body).toMatchObject({ input: "Is it ana@example.com?", voice: "nova" });
  expect(transcription?.text).toContain("ID3 Is it ana@example.com?");
  expect(await chat.logs()).toEqual([]);
});

test("a chat with models is recorded as a passing test conversation", async () => {
  const weather = { name: "weather", parameters: [{ name: "city" }], code: "return city + ': 20 C'" };
  const flow = flowOf([
    question,
    model({ model: "thinks", tools: [weather], messages: [{ role: "user", content: "{{Name}}" }] }),
    says("{{Email}}"),
    {
      ...model({ model: "fails-402", messages: [{ role: "user", content: "{{Name}}" }] }),
      id: "fails",
    },
    says("{{Email}}", "behind"),
  ]);
  const { token, workspaceId } = chats;
  const bot = await publish(client, { token, workspaceId }, flow);
  const sessionId = (await start(client, bot.publicId)).text("sessionId");
  await say(client, sessionId, 'call weather {"city":"Rome"}');

  const path = `/api/v1/bots/${bot.botId}/testConversations/record`;
  const recorded = await client.post(path, { token, body: { sessionId, title: "As it was" } });

  expect(recorded.at("problems")).toEqual([]);
  expect(recorded.at("conversation.turns.1.reports")).toMatchObject([
    { kind: "model", answer: { calls: [{ name: "weather", arguments: '{"city":"Rome"}' }], ended: "tools" } },
    { kind: "model", answer: { text: "The tools said: Rome: 20 C", tokens: { in: 11 } } },
    { kind: "model", failure: { reason: "credit", status: 402 } },
  ]);
  expect(JSON.stringify(recorded.body)).not.toContain(thoughts);
});
