import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import { createCounting } from "../../../../src/management/insight/count-results.ts";
import { eraseResults } from "../../../../src/management/row-erasure/erasure.sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { nameAndEmail, publish } from "../../../support/chat.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

const makeBot = async () => (await publish(api.client, { token: owner.token, workspaceId }, nameAndEmail)).botId;
const bring = (botId: string, results: unknown, source = "https://typebot.example") =>
  api.client.post(`/api/v1/bots/${botId}/results/import`, { token: owner.token, body: { source, results } });
const update = (botId: string, results: unknown) =>
  api.client.post(`/api/v1/bots/${botId}/results/import`, {
    token: owner.token,
    body: { source: "https://typebot.example", update: true, results },
  });
const list = (botId: string) =>
  api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query: { timeFilter: "allTime" } });

const full = {
  id: "cm3k2l1a0000108l4f9yz1b2c",
  createdAt: "2024-05-06T07:08:09.123Z",
  hasStarted: true,
  isCompleted: true,
  variables: [
    { id: idOf("Name"), name: "Name", value: "Ada" },
    { id: "list", name: "List", value: ["a", null] },
  ],
  answers: [
    { blockId: idOf("asks text input"), content: "Ada" },
    {
      blockId: idOf("asks email input"),
      content: "ada@example.com",
      createdAt: "2024-05-06T07:09:00Z",
      attachedFileUrls: ["https://x.example/a.png"],
    },
    { blockId: "gone", groupId: idOf("g9"), variableId: idOf("v9"), content: "5" },
  ],
};

test("imported results are listed with their answers", async () => {
  const botId = await makeBot();
  const seen = { id: "seen", createdAt: "2024-05-07T00:00:00Z" };
  expect((await bring(botId, [full, seen])).body).toMatchObject({
    added: 2,
    changed: 0,
    known: 0,
    stored: { results: 2, answers: 3, files: 0 },
  });
  const [newest, first] = (await list(botId)).list("results");
  expect(newest).toMatchObject({ hasStarted: false, isCompleted: false, answers: [], variables: [] });
  expect(first).toMatchObject({
    createdAt: full.createdAt,
    isCompleted: true,
    variables: full.variables,
    answers: [
      {
        blockId: idOf("asks text input"),
        groupId: idOf("g0"),
        variableId: idOf("Name"),
        content: "Ada",
        createdAt: full.createdAt,
      },
      {
        groupId: idOf("g0"),
        variableId: idOf("Email"),
        createdAt: "2024-05-06T07:09:00.000Z",
        attachedFileUrls: ["https://x.example/a.png"],
      },
      { blockId: "gone", groupId: idOf("g9"), variableId: idOf("v9") },
    ],
  });
});

test("a result is imported only once", async () => {
  const botId = await makeBot();
  const both = await Promise.all([bring(botId, [full, full]), bring(botId, [full])]);
  expect(both.reduce((sum, { at }) => sum + Number(at("added")), 0)).toBe(1);
  expect((await list(botId)).list("results.0.answers")).toHaveLength(3);
  await api.client.delete(`/api/v1/bots/${botId}/results?all=true`, { token: owner.token, body: {} });
  expect((await bring(botId, [full])).body).toMatchObject({ added: 0, known: 1, stored: { results: 0 } });
  expect((await list(botId)).list("results")).toEqual([]);
  expect((await bring(botId, [full], "https://other.example")).at("added")).toBe(1);
  expect((await bring(await makeBot(), [full])).at("added")).toBe(1);
});

test("imported results are queued for the indexing of their variables", async () => {
  const botId = await makeBot();
  await bring(botId, [full]);
  const noted = await api.deps.sql`
    select
    from results_to_read
    join results on results.shard = results_to_read.shard and results.id = results_to_read.result_id
    where results.bot_id = ${botId}`;
  expect(noted).toHaveLength(1);
});

test("an import with `update: true` applies later changes of the source", async () => {
  const botId = await makeBot();
  const [first, second, third] = full.answers;
  const open = { ...full, isCompleted: false, answers: [first, second] };
  await bring(botId, [open]);
  const read = async () => (await list(botId)).at("results.0");
  expect((await update(botId, [open])).body).toMatchObject({ added: 0, changed: 0, known: 1 });
  const resultId = (await list(botId)).text("results.0.id");
  await api.client.patch(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token, body: { note: "Ours" } });

  const went = {
    ...full,
    tags: ["lead", "lead"],
    note: "Theirs",
    answers: [first, { ...third, createdAt: "2024-05-06T07:10:00Z" }],
  };
  const changed = await update(botId, [went, { id: "new", createdAt: "2024-05-06T00:00:00Z" }]);
  expect(changed.body).toEqual({
    ...{ added: 1, changed: 1, known: 1, stored: { results: 2, answers: 2, files: 0 } },
    outdated: { results: 0, days: null },
  });
  expect(await read()).toMatchObject({
    isCompleted: true,
    tags: ["lead"],
    note: "Ours",
    answers: [{ content: "Ada" }, { content: "5" }],
  });
  const back = await update(botId, [open]);
  expect([back.at("changed"), back.at("stored.answers")]).toEqual([1, 2]);
  expect(await read()).toMatchObject({
    isCompleted: false,
    tags: ["lead"],
    answers: [{ content: "Ada" }, { content: "ada@example.com" }],
  });
  expect((await bring(botId, [went])).at("changed")).toBe(0);

  await api.client.delete(`/api/v1/bots/${botId}/results?all=true`, { token: owner.token, body: {} });
  expect((await update(botId, [went])).body).toEqual({
    added: 0,
    changed: 0,
    known: 1,
    stored: { results: 0, answers: 0, files: 0 },
    outdated: { results: 0, days: null },
  });
});

test("an import reports results that are older than the retention period", async () => {
  const botId = await makeBot();
  const retention = { token: owner.token, body: { days: 90 } };
  await api.client.put(`/api/v1/bots/${botId}/results/retention`, retention);
  const recent = { id: "recent", createdAt: new Date(Date.now() - 89 * 86_400_000).toISOString() };
  const old = { id: "old", createdAt: new Date(Date.now() - 91 * 86_400_000).toISOString() };

  expect((await bring(botId, [full, recent, old])).at("outdated")).toEqual({ results: 2, days: 90 });
  expect((await bring(botId, [recent])).at("outdated")).toEqual({ results: 0, days: 90 });
});

test("ratings are imported with their texts", async () => {
  const botId = await makeBot();
  const rating = { sessionId: "chat", revision: 2, blockId: "answer", isGood: true, words: null };
  const later = { ...rating, revision: 4, isGood: false, words: "Too short", ratedAt: "2024-05-06T08:00:00.000Z" };
  const rated = (ratings?: object[]) => ({ ...full, ...(ratings && { ratings }) });
  const read = async () => JSON.parse(JSON.stringify((await list(botId)).at("results.0.ratings")));
  const { sessionId: _, ...kept } = rating;

  await bring(botId, [rated([{ ...rating, isGood: false }, rating, later, { ...rating, sessionId: "other" }])]);
  const first: readonly Readonly<Record<string, unknown>>[] = await read();
  const [one, two, other] = [...first].sort((a, b) => Number(a["isGood"]) - Number(b["isGood"])).toReversed();
  expect(first).toHaveLength(3);
  expect([one, two]).toEqual([
    { ...kept, sessionId: expect.any(String), ratedAt: full.createdAt },
    { ...kept, sessionId: expect.any(String), ratedAt: full.createdAt },
  ]);
  expect(one?.["sessionId"]).not.toBe(two?.["sessionId"]);
  expect(other).toEqual({ ...later, sessionId: expect.any(String) });

  expect((await bring(botId, [rated([])])).at("changed")).toBe(0);
  expect((await update(botId, [rated()])).at("changed")).toBe(0);
  expect(await read()).toEqual(first);
  expect((await update(botId, [rated([rating, later, { ...rating, sessionId: "other" }])])).at("changed")).toBe(0);
  expect((await update(botId, [rated([rating, { ...later, words: "Better" }])])).at("changed")).toBe(1);
  expect((await read()).map((one: { words: string | null }) => one.words).sort()).toEqual(["Better", null]);
  expect((await update(botId, [rated([])])).at("changed")).toBe(1);
  expect(await read()).toEqual([]);
});

test("ratings of an imported result are erased with the result", async () => {
  const botId = await makeBot();
  const rating = { sessionId: "chat", revision: 2, blockId: idOf("asks text input"), isGood: true };
  await bring(botId, [{ ...full, ratings: [rating] }]);
  const count = createCounting(api.deps.sql);
  while ((await count(100)) > 0);
  const { body } = await api.client.get(`/api/v1/bots/${botId}/insight?timeFilter=allTime`, { token: owner.token });
  const blocks: readonly { blockId: string; good: number }[] = Object(body).insight.blocks;
  const rows = () => api.deps.sql`select from answer_ratings where bot_id = ${botId}`;

  expect(blocks.find(({ blockId }) => blockId === rating.blockId)?.good).toBe(1);
  expect(await rows()).toHaveLength(1);
  const { at } = await list(botId);
  await eraseResults(api.deps.sql, { botId, resultIds: [String(at("results.0.id"))] });
  expect(await rows()).toHaveLength(0);
});

test("a rating with an invalid text, judgement or revision is rejected", async () => {
  const botId = await makeBot();
  const rating = { sessionId: "chat", revision: 2, blockId: "answer", isGood: true };
  const wrong = [{ words: "x".repeat(1_001) }, { isGood: null }, { revision: 0 }, { revision: 2_147_483_648 }];
  for (const change of wrong)
    expect((await bring(botId, [{ ...full, ratings: [{ ...rating, ...change }] }])).status).toBe(400);
});

test("imported results keep a version number only if the bot has that version", async () => {
  const botId = await makeBot();
  await bring(botId, [
    { ...full, publicationNumber: 1 },
    { ...full, id: "other", publicationNumber: 7 },
  ]);
  const ofFirst = await api.client.get(`/api/v1/bots/${botId}/results`, {
    token: owner.token,
    query: { timeFilter: "allTime", version: 1 },
  });
  expect(ofFirst.list("results")).toHaveLength(1);
  const odd = await bring(botId, [full, { ...full, id: "tagged", tags: ["a, b"] }]);
  expect(odd.at("data.issues.*.path")).toEqual(["results[1].tags[0]"]);
});

test("imported results are queued to be counted in the bot's insight", async () => {
  const botId = await makeBot();
  await bring(botId, [{ ...full, publicationNumber: 1 }]);
  const [row] = await api.deps.sql`
    select count(*)::integer as waiting
    from insight_results
    join results on results.shard = insight_results.shard and results.id = insight_results.result_id
    where results.bot_id = ${botId}
      and insight_results.next_at <= clock()`;
  expect(row).toEqual({ waiting: 1 });
});

test("files of an imported result are uploaded once", async () => {
  const botId = await makeBot();
  const fileId = newId();
  const address = `https://typebot.example/api/v1/bots/x/results/y/files/${fileId}.pdf`;
  const strange = `https://typebot.example/api/files/${newId()}.pdf`;
  const result = {
    ...full,
    variables: [{ id: idOf("File"), name: "File", value: [address, null] }],
    answers: [{ blockId: "file", content: `${address}, ${strange}`, attachedFileUrls: [address] }],
  };
  const files = `/api/v1/bots/${botId}/results/import/files`;
  const file = {
    id: fileId,
    createdAt: full.createdAt,
    blockId: "file",
    name: "../a.pdf",
    type: "application/pdf",
    bytes: 9,
    isPublic: false,
  };
  const body = { source: "https://typebot.example", result: { id: full.id, createdAt: full.createdAt }, files: [file] };
  const ask = () => api.client.post(files, { token: owner.token, body });
  expect((await ask()).at("code")).toBe("result.not_found");
  await bring(botId, [result]);
  const asked = await ask();
  const upload = (content: string) =>
    api.client.put(new URL(asked.text("files.0.uploadUrl")).pathname, {
      rawBody: content,
      headers: { "Content-Type": "application/pdf" },
    });
  expect((await upload("ten bytes!")).at("code")).toBe("request.too_large");
  expect((await update(botId, [result])).at("changed")).toBe(0);
  expect((await ask()).text("files.0.url")).toBe(asked.text("files.0.url"));
  expect((await upload("%PDF-1.7\n")).status).toBe(200);
  expect((await ask()).at("files.0")).toMatchObject({ id: fileId, isStored: true, uploadUrl: null });

  expect((await update(botId, [result])).at("stored")).toEqual({ results: 1, answers: 1, files: 1 });
  const own = asked.text("files.0.url");
  const listed = (await list(botId)).at("results.0");
  expect(listed).toMatchObject({
    variables: [{ value: [own, null] }],
    answers: [{ content: `${own}, ${strange}`, attachedFileUrls: [own], storedFileUrls: [own] }],
  });
  const resultId = (await list(botId)).text("results.0.id");
  const shown = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/files`, { token: owner.token });
  expect(shown.list("files")).toMatchObject([{ name: "a.pdf", bytes: 9, createdAt: full.createdAt, isPublic: false }]);

  const many = Array.from({ length: limits.importedResults.files }, () => ({ ...file, id: newId() }));
  const full100 = () =>
    api.client.post(files, {
      token: owner.token,
      body: { ...body, files: many.map((one) => ({ ...one, id: newId() })) },
    });
  for (let held = 1; held + many.length <= limits.uploads.listed; held += many.length)
    expect((await full100()).status).toBe(200);
  expect((await full100()).at("code")).toBe("upload.too_many");
});

test("an import with an invalid result stores nothing", async () => {
  const botId = await makeBot();
  const future = await bring(botId, [full, { id: "x", createdAt: "2999-01-01T00:00:00Z" }]);
  expect(future.at("data.issues")).toEqual([{ path: "results[1].createdAt", message: "must not be in the future" }]);
  const odd = await bring(botId, [
    { ...full, answers: [{ blockId: "b", content: 5 }], variables: [{ id: idOf("v"), name: "V", value: {} }] },
  ]);
  expect(odd.at("data.issues.*.path")).toEqual(["results[0].variables[0].value", "results[0].answers[0].content"]);
  const many = Array.from({ length: limits.importedResults.perRequest + 1 }, (_, index) => ({
    ...full,
    id: `r${index}`,
  }));
  expect((await bring(botId, many)).at("data.issues.0.message")).toBe("must have at most 100 entries");
  expect((await bring(botId, [])).status).toBe(400);
  expect((await list(botId)).list("results")).toEqual([]);
});
