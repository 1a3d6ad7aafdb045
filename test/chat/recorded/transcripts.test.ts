import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { newId, shardCount, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { fileNameIn, upload } from "../../support/uploads.ts";

let threads: Threads;
let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let bot: { botId: string; publicId: string };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  bot = await publish(api.client, { token: owner.token, workspaceId }, nameAndEmail);
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const time = expect.stringMatching(/^\d{4}-.*Z$/);
const said = (role: string, text: string) => ({ createdAt: time, role, type: "text", text });

test("a transcript shows the original conversation after its bot changes", async () => {
  const { sessionId, resultId } = await chat(["Ada\nLovelace", "no address", "ada@example.com"]);
  await api.client.patch(`/api/v1/bots/${bot.botId}`, { token: owner.token, body: { bot: { groups: [], edges: [] } } });

  const expected = [
    said("bot", "Your name?"),
    said("user", "Ada\nLovelace"),
    said("bot", "Hello Ada\nLovelace, and your e-mail?"),
    said("user", "no address"),
    said("bot", expect.any(String)),
    said("user", "ada@example.com"),
    said("bot", "Thank you"),
  ];
  const transcript = await get(resultId);
  expect(transcript.body).toEqual({ transcript: expected, isComplete: true });
  const times = transcript.list("transcript").map((one) => Object(one).createdAt);
  expect(times).toEqual(times.toSorted());

  const address = `http://localhost/api/v1/bots/${bot.botId}/results/${resultId}/transcript?format=text`;
  const text = await api.handle(new Request(address, { headers: { Authorization: `Bearer ${owner.token}` } }));
  expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await text.text()).toMatch(/^\[20.*Z\] Bot: Your name\?\n\[20.*Z\] Visitor: Ada\n {4}Lovelace\n/);

  const compatible = await api.client.get(`/api/v1/typebots/${bot.botId}/results/${resultId}/transcript`, {
    token: owner.token,
  });
  expect(compatible.at("transcript")).toEqual(transcript.at("transcript"));

  await api.deps.sql`delete from steps where session_id = ${sessionId}`;
  await api.deps.sql`delete from sessions where id = ${sessionId}`;
  expect((await get(resultId)).body).toEqual({
    transcript: [said("user", "Ada\nLovelace"), said("user", "ada@example.com")],
    isComplete: false,
  });
});

test("the transcript of a chat without replies contains the bot's messages", async () => {
  const { resultId } = await chat([]);
  expect((await get(resultId)).at("transcript")).toEqual([said("bot", "Your name?")]);
  expect((await get(newId())).at("code")).toBe("result.not_found");
  const elsewhere = await putResult(api.deps.sql, newId());
  expect((await get(elsewhere.resultId)).at("code")).toBe("result.not_found");
});

test("a rich transcript contains messages and inputs", async () => {
  const flow = flowOf([
    { id: "bold", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hi", bold: true }] }] } },
    { id: "strange", type: "hologram", options: {} },
    asks("choice input", {}, { items: [{ id: "a", content: "Yes" }] }),
    { id: "script", type: "Code", options: { content: "x()" } },
    says("Your file?"),
    asks("file input", { visibility: "Private" }),
    says("Thank you"),
  ]);
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  await say(api.client, sessionId, "Yes");
  const resultId = started.text("resultId");
  const shard = shardOf(resultId);
  const address = `http://localhost/api/v1/bots/${botId}/results/${resultId}/files/${newId(shard)}.png`;
  const elsewhere = `https://files.example.com/api/files/${newId((shard + 1) % shardCount)}.png`;
  await say(api.client, sessionId, { type: "text", text: "https://example.com/a.png", attachedFileUrls: [] });
  // The address of the visitor's file, which has been erased.
  const attachedFileUrls = [address, elsewhere];
  const reply = JSON.stringify({ type: "text", text: attachedFileUrls.join(", "), attachedFileUrls });
  await api.deps.sql`update steps set reply = ${reply}::text::json where session_id = ${sessionId} and revision = 3`;

  const path = `/api/v1/bots/${botId}/results/${resultId}/transcript`;
  const rich = await api.client.get(path, { token: owner.token, query: { format: "rich" } });
  const plain = await api.client.get(path, { token: owner.token });
  expect(rich.at("transcript")).toEqual(plain.at("transcript"));
  expect(rich.list("chats")).toHaveLength(1);
  const [first, second, third] = rich.list("chats.0.steps").map((step) => Object(step));
  expect(first.messages[0].content.richText).toEqual([{ type: "p", children: [{ text: "Hi", bold: true }] }]);
  expect(first.skippedBlocks).toEqual([{ blockId: "strange", type: "hologram" }]);
  expect(first.input.items[0].content).toBe("Yes");
  expect(second.clientSideActions[0].type).toBe("scriptToExecute");
  expect(second.skippedBlocks).toBeUndefined();
  expect(third.removedFileUrls).toEqual([address]);
  expect(third.messages[0].content.plainText).toBe("Thank you");

  await api.deps.sql`delete from steps where session_id = ${sessionId}`;
  await api.deps.sql`delete from sessions where id = ${sessionId}`;
  const left = await api.client.get(path, { token: owner.token, query: { format: "rich" } });
  expect(left.list("chats").map((one) => Object(one).steps)).toEqual([[]]);
  expect(left.list("chats.0.answers").map((one) => Object(one).text)).toEqual(["Yes", "https://example.com/a.png"]);
});

test("a skipped block is listed only in the step that skipped it", async () => {
  const settings = { general: { isGoBackEnabled: true, rememberUser: { isEnabled: true } } };
  const flow = flowOf([
    asks("text input"),
    { id: "strange", type: "hologram" },
    asks("text input", {}, { id: "last" }),
  ]);
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, { ...flow, settings });
  const first = await start(api.client, publicId);
  const resultId = first.text("resultId");
  await say(api.client, first.text("sessionId"), "Ada");
  // Undo the step that skipped the block, and skip the block again.
  await api.client.post(`/api/v1/sessions/${first.text("sessionId")}/goBack`, {});
  await say(api.client, first.text("sessionId"), "Bea");
  const second = await start(api.client, publicId, { resultId });
  await say(api.client, second.text("sessionId"), "Cleo");

  const chats = await richChats(botId, resultId);
  const blocks = [{ blockId: "strange", type: "hologram" }];
  expect(chats.map(({ steps }) => steps.map((step) => step["skippedBlocks"]))).toEqual([
    [undefined, blocks],
    [undefined, blocks],
  ]);
});

test("a stored recording is listed as a file of its answer", async () => {
  const flow = flowOf([asks("text input", { audioClip: { isEnabled: true } }), says("Thank you")]);
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  const url = await upload(api.client, sessionId, "a sound", { fileName: "voice.mp3", fileType: "audio/mpeg" });
  await say(api.client, sessionId, { type: "audio", url });

  const [step] = (await richChats(botId, started.text("resultId"))).flatMap(({ steps }) => steps.slice(1));
  expect(step?.["files"]).toEqual([{ url, name: "voice.mp3" }]);
  expect(step?.["removedFileUrls"]).toBeUndefined();
});

test("answers of a deleted chat include their files, even removed ones", async () => {
  const flow = flowOf([asks("file input", { visibility: "Private", isMultipleAllowed: true }), says("Thank you")]);
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, publicId);
  const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
  const urls = [await upload(api.client, sessionId, "a letter"), await upload(api.client, sessionId, "another")];
  const text = urls.join(", ");
  await say(api.client, sessionId, { type: "text", text, attachedFileUrls: urls });
  await api.deps.sql`delete from steps where session_id = ${sessionId}`;
  await api.deps.sql`delete from sessions where id = ${sessionId}`;
  const [gone = ""] = urls;
  const [id = ""] = fileNameIn(gone).split(".");
  await api.deps.sql`delete from files where id = ${id}`;

  const [rich] = await richChats(botId, resultId);
  expect(rich?.answers).toEqual([
    {
      ...{ createdAt: time, text, attachedFileUrls: urls },
      files: [{ url: urls[1], name: "letter.pdf" }],
      removedFileUrls: [gone],
    },
  ]);
});

test("the transcript of a very long chat is marked as incomplete", async () => {
  const { sessionId, resultId } = await chat(["Ada", "no address"]);
  // Store as many steps with rejected addresses as a transcript can contain.
  await api.deps.sql`
    insert into steps (shard, session_id, revision, id, bot_id, request_hash, reply, response, created_at)
    select shard, session_id, place, new_id(), bot_id, request_hash, reply, response, created_at
    from steps, generate_series(4, ${limits.session.transcriptSteps + 3}::int) as place
    where session_id = ${sessionId} and revision = 3`;

  const [rich] = await richChats(bot.botId, resultId);
  expect(rich?.isComplete).toBe(false);
  expect(rich?.steps).toHaveLength(limits.session.transcriptSteps);
  expect(rich?.bot).toMatchObject({ id: bot.botId });
  expect((await get(resultId)).at("isComplete")).toBe(false);
});

type RichChat = {
  readonly isComplete: boolean;
  readonly bot: unknown;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly answers: readonly unknown[];
};

async function richChats(botId: string, resultId: string): Promise<RichChat[]> {
  const path = `/api/v1/bots/${botId}/results/${resultId}/transcript`;
  const rich = await api.client.get(path, { token: owner.token, query: { format: "rich" } });
  return rich.list("chats").map((one) => Object(one));
}

async function chat(replies: readonly string[]): Promise<{ sessionId: string; resultId: string }> {
  const started = await start(api.client, bot.publicId);
  const sessionId = started.text("sessionId");
  for (const reply of replies) await say(api.client, sessionId, reply);
  return { sessionId, resultId: started.text("resultId") };
}

function get(resultId: string) {
  return api.client.get(`/api/v1/bots/${bot.botId}/results/${resultId}/transcript`, { token: owner.token });
}
