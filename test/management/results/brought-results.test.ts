import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { nameAndEmail, publish } from "../../support/chat.ts";

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

test("results of elsewhere are listed with what they said, and what they leave out is found in the draft", async () => {
  const botId = await makeBot();
  const seen = { id: "seen", createdAt: "2024-05-07T00:00:00Z" };
  expect((await bring(botId, [full, seen])).body).toEqual({ added: 2, known: 0 });
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

test("sent again they are the same, also at once, twice in one request, and in the bin; of another source they are others", async () => {
  const botId = await makeBot();
  const both = await Promise.all([bring(botId, [full, full]), bring(botId, [full])]);
  expect(both.reduce((sum, { at }) => sum + Number(at("added")), 0)).toBe(1);
  expect((await list(botId)).list("results.0.answers")).toHaveLength(3);
  await api.client.delete(`/api/v1/bots/${botId}/results?all=true`, { token: owner.token, body: {} });
  expect((await bring(botId, [full])).body).toEqual({ added: 0, known: 1 });
  expect((await list(botId)).list("results")).toEqual([]);
  expect((await bring(botId, [full], "https://other.example")).at("added")).toBe(1);
  expect((await bring(await makeBot(), [full])).at("added")).toBe(1);
});

test("are found by the values of their variables once they are read", async () => {
  const botId = await makeBot();
  await bring(botId, [full]);
  const noted = await api.deps.sql`
    select
    from results_to_read
    join results on results.shard = results_to_read.shard and results.id = results_to_read.result_id
    where results.bot_id = ${botId}`;
  expect(noted).toHaveLength(1);
});

test("what is no result, of the future or too much is refused, and nothing of its request is kept", async () => {
  const botId = await makeBot();
  const future = await bring(botId, [full, { id: "x", createdAt: "2999-01-01T00:00:00Z" }]);
  expect(future.at("data.issues")).toEqual([{ path: "results[1].createdAt", message: "must not be in the future" }]);
  const odd = await bring(botId, [
    { ...full, answers: [{ blockId: "b", content: 5 }], variables: [{ id: idOf("v"), name: "V", value: {} }] },
  ]);
  expect(odd.at("data.issues.*.path")).toEqual(["results[0].variables[0].value", "results[0].answers[0].content"]);
  const many = Array.from({ length: limits.broughtResults.perRequest + 1 }, (_, index) => ({
    ...full,
    id: `r${index}`,
  }));
  expect((await bring(botId, many)).at("data.issues.0.message")).toBe("must have at most 100 entries");
  expect((await bring(botId, [])).status).toBe(400);
  expect((await list(botId)).list("results")).toEqual([]);
});
