import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { startFakeDify } from "../../fake-providers/dify.ts";
import { startFakeElevenlabs } from "../../fake-providers/elevenlabs.ts";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { type FakeProvider, providerUrls } from "../../fake-providers/kit.ts";
import { type FakeNocodb, startFakeNocodb } from "../../fake-providers/nocodb.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { flowOf } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";

let api: TestApi;
let google: FakeGoogle;
let nocodb: FakeNocodb;
let elevenlabs: FakeProvider;
let dify: FakeProvider;
let owner: TestUser;
let workspaceId: string;
let credentialsId: string;
let spreadsheetId: string;

/** A key that must not appear anywhere. */
const plantedKey = "planted-key-of-a-service-51d0";

beforeAll(async () => {
  google = await startFakeGoogle();
  nocodb = await startFakeNocodb();
  elevenlabs = await startFakeElevenlabs();
  dify = await startFakeDify();
  nocodb.tables.set("leads", [{ Name: "Ada", Town: "Paris" }]);
  const config = { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google, nocodb, elevenlabs, dify]) };
  api = await createTestApi({ config });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  credentialsId = await credentialsOf("google sheets", serviceAccount);
  spreadsheetId = google.sheets.make({
    rows: [
      ["Name ", "Town", "", "Town"],
      ["Ada", "Paris"],
    ],
    sharedWith: [serviceAccount.clientEmail],
  });
});
afterAll(async () => {
  await api.close();
  await Promise.all([google, nocodb, elevenlabs, dify].map(({ close }) => close()));
});

const credentialsOf = async (type: string, data: object = { apiKey: plantedKey }): Promise<string> => {
  const path = `/api/v1/workspaces/${workspaceId}/credentials`;
  const made = await api.client.post(path, { token: owner.token, body: { type, name: "Ours", data } });
  return made.text("credentials.id");
};

const optionsOf = async (field: string, options: object, type = "Google Sheets") => {
  const bot = { name: "Tables", ...flowOf([{ id: "asked", type, options }]) };
  const { token } = owner;
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot } });
  const path = `/api/v1/bots/${made.text("bot.id")}/blocks/asked/options`;
  return api.client.post(path, { token, body: { field } });
};

test("the sheets and columns of a spreadsheet are offered as options", async () => {
  const sheets = await optionsOf("sheetId", { credentialsId, spreadsheetId });
  expect(sheets.body).toEqual({
    options: [{ value: "0", label: expect.any(String) }],
    ...{ isCut: false, problem: null },
  });
  const columns = await optionsOf("filter.comparisons.column", { credentialsId, spreadsheetId, sheetId: "0" });
  expect(columns.at("options.*.value")).toEqual(["Name", "Town"]);
  // The address in the browser contains both the spreadsheet and the tab.
  const address = `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit?gid=0#gid=0`;
  const byAddress = await optionsOf("cellsToExtract.column", { credentialsId, spreadsheetId: address });
  expect(byAddress.at("options.*.label")).toEqual(["Name", "Town"]);
});

test("the problem of a field's options names the first missing option", async () => {
  const problemOf = async (field: string, options: object) => (await optionsOf(field, options)).at("problem");
  expect(await problemOf("sheetId", {})).toMatchObject({ reason: "missing", field: "credentialsId" });
  expect(await problemOf("sheetId", { credentialsId })).toMatchObject({ reason: "missing", field: "spreadsheetId" });
  const byVariable = { credentialsId, spreadsheetId: "{{Sheet}}" };
  expect(await problemOf("sheetId", byVariable)).toMatchObject({ reason: "missing", field: "spreadsheetId" });
  const elsewhere = { credentialsId, spreadsheetId, sheetId: "77" };
  expect(await problemOf("cellsToInsert.column", elsewhere)).toMatchObject({ reason: "missing", field: "sheetId" });
  const gone = { credentialsId: "0".repeat(26), spreadsheetId };
  expect(await problemOf("sheetId", gone)).toMatchObject({ reason: "credentials", field: null });
});

test("the error for an unshared spreadsheet names the account", async () => {
  const secret = google.sheets.make({ rows: [["A"]], sharedWith: ["somebody@example.com"] });
  const answer = await optionsOf("sheetId", { credentialsId, spreadsheetId: secret });

  expect(answer.at("problem.reason")).toBe("failed");
  expect(answer.text("problem.message")).toEndWith(`Share the spreadsheet with ${serviceAccount.clientEmail}.`);
  expect(JSON.stringify(answer.body)).not.toContain("planted");
});

test("a field without options is rejected", async () => {
  for (const field of ["action", "constructor", "__proto__", "options.sheetId"])
    expect((await optionsOf(field, { credentialsId })).body).toMatchObject({ code: "field.no_options" });
});

test("the tables and columns of a NocoDB account are offered", async () => {
  const options = { credentialsId: await credentialsOf("nocodb"), tableId: "leads" };
  expect((await optionsOf("tableId", options, "nocodb")).body).toEqual({
    options: [
      { value: "table", label: "Table table" },
      { value: "leads", label: "Table leads" },
    ],
    ...{ isCut: false, problem: null },
  });
  for (const field of ["filter.comparisons.input", "responseMapping.fieldName", "updates.fieldName", "fields.key"])
    expect((await optionsOf(field, options, "nocodb")).at("options.*.value")).toEqual(["Id", "Name", "Town"]);
  const { tableId: _, ...without } = options;
  const problem = (await optionsOf("updates.fieldName", without, "nocodb")).at("problem");
  expect(problem).toMatchObject({ reason: "missing", field: "tableId" });
});

test("the data sets of Dify are offered by name, from all pages", async () => {
  const credentials = await credentialsOf("dify-ai", { knowledgeApiKey: plantedKey });
  const options = { action: "Query Knowledge Base", credentialsId: credentials };
  expect((await optionsOf("datasetId", options, "dify-ai")).at("options")).toEqual([
    { value: "known-set", label: "Handbook" },
    { value: "other-set", label: "Prices" },
  ]);
  expect(dify.asked.map(({ query }) => query.toString())).toEqual(["page=1&limit=100", "page=2&limit=100"]);
  dify.fail("html", { times: 1, of: ({ query }) => query.get("page") === "2" });
  expect((await optionsOf("datasetId", options, "dify-ai")).at("problem.reason")).toBe("failed");
});

test("the voices of ElevenLabs are offered by name", async () => {
  const answer = await optionsOf("voiceId", { credentialsId: await credentialsOf("elevenlabs") }, "elevenlabs");
  expect(answer.at("options")).toEqual([{ value: "voice1", label: "Rachel" }]);
});

test.each([
  ["401", "The service responded with status 401: Refused with 401: •••."],
  ["html", "The service's response could not be read."],
  ["malformed", "The service's response could not be read."],
] as const)(
  "a faulty response of a service is returned as an error message without the key: %s",
  async (fault, message) => {
    nocodb.fail(fault);
    const answer = await optionsOf("tableId", { credentialsId: await credentialsOf("nocodb") }, "nocodb");

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ options: [], isCut: false, problem: { reason: "failed", message, field: null } });
    expect(JSON.stringify(answer.body)).not.toContain(plantedKey);
  },
);

test("spreadsheets that the workspace's blocks use are offered by name", async () => {
  const workspace = await api.makeWorkspace(owner);
  const { token } = owner;
  const made = await api.client.post(`/api/v1/workspaces/${workspace}/credentials`, {
    ...{ token, body: { type: "google sheets", name: "Ours", data: serviceAccount } },
  });
  const account = made.text("credentials.id");
  const sheetOf = (title: string, sharedWith = serviceAccount.clientEmail) =>
    google.sheets.make({ title, rows: [["A"]], sharedWith: [sharedWith] });
  const addressOf = (id: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`;
  const [orders, leads, archived, own] = [
    sheetOf("Orders"),
    sheetOf("Leads of spring"),
    sheetOf("Old"),
    sheetOf("Own"),
  ];
  const hidden = sheetOf("Salaries", "boss@example.com");
  const botWith = async (...spreadsheets: readonly string[]) => {
    const blocks = spreadsheets.map((spreadsheetId, index) => ({
      ...{ id: `asked${index}`, type: "Google Sheets", options: { credentialsId: account, spreadsheetId } },
    }));
    const other = { id: "other", type: "nocodb", options: { spreadsheetId: sheetOf("No spreadsheet's block") } };
    const bot = { name: "Tables", ...flowOf([...blocks, other]) };
    const answer = await api.client.post("/api/v1/bots", { token, body: { workspaceId: workspace, bot } });
    return answer.text("bot.id");
  };
  await botWith(addressOf(orders), orders, hidden, "{{Variable}}", "", "../../drive/v3/files");
  await botWith(leads);
  await api.client.post(`/api/v1/bots/${await botWith(archived)}/archive`, { token, body: {} });
  const botId = await botWith(addressOf(own));
  const offered = async (asker: TestUser) =>
    (
      await api.client.post(`/api/v1/bots/${botId}/blocks/asked0/options`, {
        ...{ token: asker.token, body: { field: "spreadsheetId" } },
      })
    ).at("options");

  expect(await offered(owner)).toEqual([
    { value: addressOf(own), label: "Own" },
    { value: leads, label: "Leads of spring" },
    { value: orders, label: "Orders" },
  ]);
  const guest = await api.makeUser();
  await api.deps.sql`
    insert into collaborators (bot_id, user_id, type)
    values (${botId}, ${guest.userId}, 'WRITE')`;
  expect(await offered(guest)).toEqual([{ value: addressOf(own), label: "Own" }]);
});

test("only the spreadsheets of the newest bots are offered", async () => {
  const workspace = await api.makeWorkspace(owner);
  const { token } = owner;
  const made = await api.client.post(`/api/v1/workspaces/${workspace}/credentials`, {
    ...{ token, body: { type: "google sheets", name: "Ours", data: serviceAccount } },
  });
  const ids = Array.from({ length: limits.credentials.recentValues + 3 }, (_, index) =>
    google.sheets.make({ title: `Sheet ${index}`, rows: [["A"]], sharedWith: [serviceAccount.clientEmail] }),
  );
  const options = ids.map((spreadsheetId) => ({ credentialsId: made.text("credentials.id"), spreadsheetId }));
  let botId = "";
  for (const option of options) {
    const bot = { name: "Tables", ...flowOf([{ id: "asked", type: "Google Sheets", options: option }]) };
    const answer = await api.client.post("/api/v1/bots", { token, body: { workspaceId: workspace, bot } });
    botId = answer.text("bot.id");
  }
  const path = `/api/v1/bots/${botId}/blocks/asked/options`;
  const answer = await api.client.post(path, { token, body: { field: "spreadsheetId" } });
  expect(answer.at("options.*.value")).toEqual(ids.toReversed().slice(0, limits.credentials.recentValues));
});
