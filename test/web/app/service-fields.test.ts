import { afterAll, beforeAll, expect } from "bun:test";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { testKey } from "../../support/events.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

const inBrowser = browserTests();
const inLongRun = longBrowserTests();
let google: FakeGoogle;
let threads: Threads;
let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
let credentialsId: string;
let spreadsheetId: string;

beforeAll(async () => {
  google = await startFakeGoogle();
  threads = createThreads({ count: 1 });
  host = await openFlowHost({
    threads,
    config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google]) },
  });
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
  const made = await host.api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: ada.token,
    body: { type: "google sheets", name: "Ours", data: serviceAccount },
  });
  credentialsId = made.text("credentials.id");
  spreadsheetId = google.sheets.make({
    ...{ title: "Leads", tab: "Spring" },
    rows: [
      ["Name", "Town"],
      ["Ada", "Paris"],
    ],
    sharedWith: [serviceAccount.clientEmail],
  });
});
afterAll(async () => {
  await host.close();
  await threads.close();
  await google.close();
});

const flow = (options: object) => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      ...{ id: "leads", title: "Leads", graphCoordinates: { x: 200, y: 0 } },
      blocks: [{ id: "sheet", type: "Google Sheets", options: { credentialsId, spreadsheetId, ...options } }],
    },
  ],
  edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "leads" } }],
  variables: [],
});
const optionsIn = async (botId: string) => (await host.draft(ada, botId)).groups[0]?.blocks[0]?.["options"];

inBrowser(
  "a sheet and its columns are chosen by name, and other texts can be typed",
  async ({ context, problems }) => {
    const botId = await host.makeBot(
      ada,
      workspaceId,
      flow({ action: "Insert a row", cellsToInsert: [{ id: "c1", value: "{{Name}}" }] }),
    );
    const page = await openFlow(context, host, { user: ada, botId });
    await page.locator('[data-key="block:sheet"]').click();
    const sheet = page.getByRole("combobox", { name: "Sheet", exact: true });
    await sheet.click();
    await page.getByRole("option", { name: /Spring/ }).click();
    const column = page.getByRole("combobox", { name: "Column" });
    await column.click();
    await page.getByRole("option", { name: "Town" }).click();
    await saved(page);
    expect(await optionsIn(botId)).toMatchObject({ sheetId: "0", cellsToInsert: [{ column: "Town" }] });
    expect(await sheet.inputValue()).toBe("Spring");

    await column.fill("Phone");
    await page.getByRole("option", { name: "Use “Phone”" }).click();
    await saved(page);
    expect(await optionsIn(botId)).toMatchObject({ cellsToInsert: [{ column: "Phone" }] });
    expect(await axeProblems(page)).toEqual([]);

    // After a reload, the stored id is shown with its name. Both fields of a kind share one request.
    await page.reload();
    await page.locator('[data-key="block:sheet"]').click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll("input")].some(({ value, role }) => role === "combobox" && value === "Spring"),
    );
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1_440, height: 900 } },
);

inBrowser(
  "a refusal is shown below the field until a successful retry",
  async ({ context, problems }) => {
    const botId = await host.makeBot(ada, workspaceId, flow({ action: "Insert a row" }));
    // The field of the spreadsheet requests the spreadsheet's name at the same time, and shows no name if the request
    // fails.
    google.fail("403", { of: ({ query }) => query.get("fields")?.includes("sheets.properties") === true });
    const page = await openFlow(context, host, { user: ada, botId });
    await page.locator('[data-key="block:sheet"]').click();
    await page.getByText("Share the spreadsheet with").waitFor();
    await page.getByRole("button", { name: "Reload the options of Sheet" }).click();
    await page.getByText("Share the spreadsheet with").waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Sheet", exact: true }).click();
    await page.getByRole("option", { name: /Spring/ }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
);

inLongRun(
  "the trial of a block that writes data requires a confirmation, and shows the response",
  async ({ context, problems }) => {
    const cellsToInsert = [
      { id: "c1", column: "Name", value: "Grace" },
      { id: "c2", column: "Town", value: "New York" },
    ];
    const botId = await host.makeBot(ada, workspaceId, flow({ sheetId: "0", action: "Insert a row", cellsToInsert }));
    const page = await openFlow(context, host, { user: ada, botId });
    await page.locator('[data-key="block:sheet"]').click();
    await page.getByText("Try it", { exact: true }).click();
    await page.getByRole("button", { name: "Make the call" }).click();
    await page.getByRole("button", { name: "Make the change" }).waitFor();
    expect(google.sheets.rowsOf(spreadsheetId)).toHaveLength(2);

    await page.getByRole("button", { name: "Make the change" }).click();
    await page.getByRole("region", { name: "Response" }).waitFor();
    expect(google.sheets.rowsOf(spreadsheetId).at(-1)).toEqual(["Grace", "New York"]);
    expect(await axeProblems(page)).toEqual([]);
    // Browsers log the service's rejection.
    expect(problems).toEqual([expect.stringContaining("409")]);
  },
  { viewport: { width: 1_440, height: 900 } },
);
