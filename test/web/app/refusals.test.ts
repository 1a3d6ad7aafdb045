import { afterAll, beforeAll, expect } from "bun:test";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(() => host.close());

const hologram = { id: "hologram", type: "Hologram", options: { depth: [3, { eyes: null }] }, sparkles: true };

inBrowser("a change that the service refuses is marked at its field", async ({ context }) => {
  const flow = flowOf([says("Hello", "hello"), asks("text input", { variableId: idOf("Name") }), hologram]);
  const botId = await host.makeBot(ada, workspaceId, flow);
  const page = await openFlow(context, host, { user: ada, botId, at: idOf("asks text input") });
  let isRefused = false;
  await page.route("**/changes", async (route) => {
    const text = route.request().postData() ?? "";
    if (!text.includes("Never stored")) return route.continue();
    isRefused = true;
    const issues = [
      { path: `blocks.${idOf("asks text input")}.options.labels.placeholder`, message: "must not be that" },
    ];
    await route.fulfill({ status: 400, json: { code: "request.invalid", message: "Refused", data: { issues } } });
  });
  const placeholder = page.getByRole("textbox", { name: "Placeholder", exact: true });
  await placeholder.fill("Never stored");
  await page.locator(`[data-key="group:${idOf("g0")}"]`).click();
  await page.getByLabel("Title of the group").fill("Stored all the same");
  await page.getByRole("button", { name: "Not everything is saved" }).click();
  expect(isRefused).toBe(true);
  const entry = page.locator(".unsaved-entry");
  await entry.getByText("must not be that").waitFor();
  expect((await host.draft(ada, botId)).groups[0]?.title).toBe("Stored all the same");
  expect(await axeProblems(page)).toEqual([]);
  await entry.getByRole("button", { name: "Your version" }).click();
  await page.getByRole("button", { name: "Block", exact: true }).click();
  await page.getByText("must not be that").waitFor();
  await page.getByRole("button", { name: "Not everything is saved" }).click();
  await entry.getByRole("button", { name: "Discard my change" }).click();
  await saved(page);

  // A block of a future version is named as unknown, can be moved, is edited as JSON, and is otherwise unchanged.
  const unknown = page.getByRole("row", { name: /^Hologram, Unknown type/ });
  await unknown.click();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByRole("tabpanel").getByRole("textbox").waitFor();
  await saved(page);
  const after = await host.draft(ada, botId);
  expect(after.groups[0]?.blocks.map(({ id }) => id)).toEqual(["hello", "hologram", idOf("asks text input")]);
  expect(after.groups[0]?.blocks[1]).toEqual(hologram);

  // Only the shown changes are published. Newer changes are shown first.
  await page.getByRole("button", { name: /^Publish/ }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  const publish = dialog.getByRole("button", { name: /^Publish/ });
  await dialog.getByText(/^This bot is not public yet/).waitFor();
  await page.route("**/live?*", (route) => route.abort());
  await host.call(ada, "PATCH", `/api/v1/bots/${botId}`, {
    bot: { groups: [{ ...after.groups[0], title: "Theirs" }] },
  });
  await publish.click();
  await dialog.getByText("The draft was changed in the meantime").waitFor();
  await dialog.locator("button:not([aria-disabled])", { hasText: /^Publish/ }).click();
  await dialog.waitFor({ state: "detached" });
  const published = await host.call(ada, "GET", `/api/v1/bots/${botId}/publishedBot`);
  expect(published).toMatchObject({ publishedBot: { groups: [{ title: "Theirs" }] } });
});

inLongRun(
  "a file that is too large, is not a flow, or exceeds a flow's limits creates nothing, and shows the reason",
  async ({ context, page }) => {
    const mine = await host.api.makeWorkspace(ada);
    await context.setExtraHTTPHeaders({ Authorization: `Bearer ${ada.token}` });
    await page.goto(`${host.origin}/app/w/${mine}`);
    await page.getByRole("button", { name: "Import" }).click();
    const give = (text: string) =>
      page
        .locator('input[type="file"]')
        .setInputFiles({ name: "flow.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await give(`"${"x".repeat(10_000_001)}"`);
    await page.getByText("This file is too large. You can import at most 10 MB.").waitFor();
    await give('{"pages":[]}');
    await page.getByText("This JSON is not a flow").waitFor();
    await give('{\n  "groups": [\n    oops');
    await page.getByText("This is not valid JSON: the error is at line 3, column 5.").waitFor();
    const blocks = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `b${index}`, type: "text" }));
    const group = (id: string, count: number) => ({ id, title: id, blocks: blocks(count) });
    const flow = (groups: readonly object[]) => JSON.stringify({ version: "6.1", name: "Much", groups, edges: [] });
    await give(flow([group("g", 10_001)]));
    await page.getByText("10000 blocks").waitFor();
    await give(flow(Array.from({ length: 2_001 }, (_, index) => group(`g${index}`, 0))));
    await page.getByText("2000 groups").waitFor();
    const { body } = await host.api.client.get("/api/v1/bots", { token: ada.token, query: { workspaceId: mine } });
    expect(body).toMatchObject({ bots: [] });
  },
);
