import { afterAll, beforeAll, expect, test } from "bun:test";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { flowOf } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";

let api: TestApi;
let google: FakeGoogle;
let owner: TestUser;
let workspaceId: string;
let credentialsId: string;
let spreadsheetId: string;

beforeAll(async () => {
  google = await startFakeGoogle();
  const config = { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google]) };
  api = await createTestApi({ config });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const body = { type: "google sheets", name: "Ours", data: serviceAccount };
  const { token } = owner;
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, { token, body });
  credentialsId = made.text("credentials.id");
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
  await google.close();
});

const optionsOf = async (field: string, options: object) => {
  const block = { id: "sheet", type: "Google Sheets", options: { action: "Get data from sheet", ...options } };
  const bot = { name: "Sheets", ...flowOf([block]) };
  const { token } = owner;
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot } });
  const path = `/api/v1/bots/${made.text("bot.id")}/blocks/sheet/options`;
  return api.client.post(path, { token, body: { field } });
};

test("a spreadsheet's sheets are offered by their titles, and the columns of one by its first row", async () => {
  const sheets = await optionsOf("sheetId", { credentialsId, spreadsheetId });
  expect(sheets.body).toEqual({
    options: [{ value: "0", label: expect.any(String) }],
    ...{ isCut: false, problem: null },
  });
  const columns = await optionsOf("filter.comparisons.column", { credentialsId, spreadsheetId, sheetId: "0" });
  expect(columns.at("options.*.value")).toEqual(["Name", "Town"]);
  // The address that a browser shows names both.
  const address = `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit?gid=0#gid=0`;
  const byAddress = await optionsOf("cellsToExtract.column", { credentialsId, spreadsheetId: address });
  expect(byAddress.at("options.*.label")).toEqual(["Name", "Town"]);
});

test("what comes first is named, and credentials that are gone", async () => {
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

test("a spreadsheet that is not shared names the account to share it with, and no key", async () => {
  const secret = google.sheets.make({ rows: [["A"]], sharedWith: ["somebody@example.com"] });
  const answer = await optionsOf("sheetId", { credentialsId, spreadsheetId: secret });

  expect(answer.at("problem.reason")).toBe("failed");
  expect(answer.text("problem.message")).toEndWith(`Share the spreadsheet with ${serviceAccount.clientEmail}.`);
  expect(JSON.stringify(answer.body)).not.toContain("planted");
});

test("a field without options, and a block that is not there, are not found", async () => {
  for (const field of ["action", "constructor", "__proto__", "options.sheetId"])
    expect((await optionsOf(field, { credentialsId })).body).toMatchObject({ code: "field.no_options" });
});
