import { afterAll, beforeAll, expect, test } from "bun:test";
import { readXlsx } from "hucre/xlsx";
import { copiedColumns, type ResultField, resultFields } from "../../../src/core/results/result-fields.ts";
import { eraseResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { fieldSamples } from "../../support/result-fields.ts";
import { putResult } from "../../support/results.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

const columnOf = new Map(Object.entries<ResultField>(resultFields).map(([name, { column }]) => [name, column]));
const fields = Object.entries(fieldSamples).map(([name, sample]) => ({
  ...{ name, sample, column: columnOf.get(name) ?? "" },
}));

test.each(fields)("the field $name is returned, and has the declared filter and column", async (field) => {
  const { name, sample, column } = field;
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId, { createdAt: "2026-03-02T10:00:00.000Z" });
  const { resultId: unsetId } = await putResult(api.deps.sql, botId, { createdAt: "2026-03-01T10:00:00.000Z" });
  await setField(resultId, field);

  const all = await list(botId);
  expect(all.at("results.*.id")).toEqual([resultId, unsetId]);
  expect([all.at(`results.0.${name}`), all.at(`results.1.${name}`)]).toEqual([sample.value, sample.unset]);
  if (sample.query) {
    expect((await list(botId, sample.query)).at("results.*.id")).toEqual([resultId]);
    expect(await cellsOf(botId, "Result", sample.query)).toEqual([resultId]);
  }
  const cells = sample.column && [sample.column.cell, sample.column.unset];
  expect(await cellsOf(botId, sample.column?.title ?? column)).toEqual(cells);
});

test.each(fields)("an erasure of a result clears or keeps the field $name as declared", async (field) => {
  const { sample, column } = field;
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId);
  await setField(resultId, field);
  const read = async () =>
    (await api.deps.sql`select ${api.deps.sql(column)} as value from results where id = ${resultId}`)[0];

  expect(await read()).toEqual({ value: sample.value });
  await eraseResults(api.deps.sql, { botId, resultIds: [resultId] });
  // An erased result is archived.
  const kept = column === "is_archived" ? true : sample.value;
  expect(await read()).toEqual({ value: sample.isErased ? null : kept });
});

test("a bot copy includes exactly the result fields declared as copied", () => {
  const copied = fields.filter(({ sample }) => sample.isCopied).map(({ column }) => column);
  expect(copiedColumns.toSorted()).toEqual(copied.toSorted());
});

test("an import includes each field that is declared as imported", async () => {
  const botId = await makeBot();
  const values = Object.fromEntries(
    fields.flatMap(({ name, sample }) => (sample.isImported ? [[name, sample.value]] : [])),
  );
  const results = [{ id: "one", createdAt: "2026-03-01T10:00:00.000Z", ...values }];
  await api.client.post(`/api/v1/bots/${botId}/results/import`, {
    token: owner.token,
    body: { source: "https://chat.example.org", results },
  });
  expect((await list(botId)).at("results.0")).toMatchObject(values);
});

async function setField(resultId: string, { sample, column }: (typeof fields)[number]): Promise<void> {
  await api.deps.sql`update results set ${api.deps.sql({ [column]: sample.value })} where id = ${resultId}`;
}

async function makeBot(): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: {} } })).text("bot.id");
}

function list(botId: string, query: Readonly<Record<string, string | number | boolean>> = {}) {
  const all = { timeFilter: "allTime", ...query };
  return api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query: all });
}

async function cellsOf(botId: string, title: string, query: object = {}): Promise<string[] | undefined> {
  const search = new URLSearchParams({ format: "xlsx", ...query });
  const address = `http://localhost/api/v1/bots/${botId}/results/export?${search}`;
  const answer = await api.handle(new Request(address, { headers: { Authorization: `Bearer ${owner.token}` } }));
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
  const [titles = [], ...rows] = sheets[0]?.rows ?? [];
  const at = titles.indexOf(title);
  return at === -1 ? undefined : rows.map((row) => String(row[at] ?? ""));
}
