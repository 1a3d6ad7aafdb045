import { afterAll, beforeAll, expect } from "bun:test";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { testKey } from "../../support/events.ts";
import { announcementsOn, type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
let threads: Threads;
let outside: OutsideServer;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const secret = "planted-Value_0123456789";

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  host = await openFlowHost({ threads, safeFetch: outsideFetch(), config: { ENCRYPTION_KEY: testKey } });
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
  outside = await startOutside(({ headers }, response) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ city: { name: "Lyon", degrees: 21 }, echo: headers["x-key"], days: ["mild", "warm"] })),
  );
});
afterAll(async () => {
  await outside.close();
  await host.close();
  await threads.close();
});

inBrowser("several blocks share one form, which marks differing values", async ({ context, problems }) => {
  const asks = (id: string, type: string, labels: object) => ({ id, type, options: { labels } });
  const botId = await makeBot([
    asks("name", "text input", { placeholder: "Who?", button: "Go" }),
    asks("mail", "email input", { placeholder: "Your mail", button: "Go" }),
    asks("phone", "phone number input", { placeholder: "Your phone" }),
  ]);
  const page = await openFlow(context, host, { user: ada, botId, at: "name" });
  await page.locator('[data-key="block:name"]').focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByRole("heading", { name: "3 blocks" }).waitFor();
  const placeholder = page.getByLabel("Placeholder", { exact: true });
  expect(await placeholder.inputValue()).toBe("");
  const help = page.getByText("Mixed: “Who?” (1), “Your mail” (1), “Your phone” (1).");
  expect(await help.isVisible()).toBe(true);
  expect(await axeProblems(page)).toEqual([]);

  await placeholder.fill("Tell us");
  await saved(page);
  const labels = async () =>
    (await host.draft(ada, botId)).groups[0]?.blocks.map(({ options }) => Object(options).labels);
  expect(await labels()).toEqual([
    { placeholder: "Tell us", button: "Go" },
    { placeholder: "Tell us", button: "Go" },
    { placeholder: "Tell us" },
  ]);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await saved(page);
  expect(await labels()).toMatchObject([{ placeholder: "Who?" }, { placeholder: "Your mail" }, {}]);
  await page.getByRole("button", { name: "Reset Placeholder" }).click();
  await saved(page);
  expect(await labels()).toEqual([{ button: "Go" }, { button: "Go" }, {}]);
  expect(problems).toEqual([]);
});

inBrowser("a request is tried from its form without showing a secret", async ({ context, problems }) => {
  await host.call(ada, "PUT", `/api/v1/workspaces/${workspaceId}/secrets/TRIED`, { value: secret });
  const webhook = {
    url: `${outside.url("/weather")}?city={{City}}`,
    method: "GET",
    headers: [{ id: "h", key: "X-Key", value: "{{secret.TRIED}}" }],
  };
  const botId = await makeBot([{ id: "call", type: "Webhook", options: { webhook } }]);
  const page = await openFlow(context, host, { user: ada, botId, at: "call" });
  // The method, the address and Send are on one line, and the address takes most of it.
  const line = page.locator(".app-form-cells", { has: page.getByRole("button", { name: "Send", exact: true }) });
  for (const width of [1_440, 390, 1_280]) {
    await page.setViewportSize({ width, height: 720 });
    await waitFor(
      async () => {
        const [address, method] = [
          await line.locator("input").boundingBox(),
          await line.locator("select").boundingBox(),
        ];
        // The panel may be rendered at another position for this width, and is missing for a moment.
        if (!address || !method) return false;
        return address.width > (width === 1_280 ? 170 : 210) && Math.abs(method.y - address.y) < 2;
      },
      { what: `a wide address beside its method, on a page of ${width} px` },
    );
  }
  await page.getByRole("tab", { name: "Answer" }).click();
  await page.getByLabel("City", { exact: true }).fill("Le Mans");
  await page.getByRole("tab", { name: "Headers" }).click();
  const send = page.getByRole("button", { name: "Send", exact: true });
  await send.click();
  // The status is visible without scrolling, with any tab open.
  const status = page.getByText("Status 200", { exact: true });
  await status.waitFor();
  expect(await status.evaluate((badge) => badge.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  expect(outside.requests.at(-1)).toMatchObject({ path: "/weather?city=Le%20Mans" });
  await page.getByText("Request sent").click();
  const curl = await page.locator(".trial-curl").textContent();
  expect(curl).toContain("--header 'X-Key: {{secret.TRIED}}'");
  await page.getByRole("button", { name: "degrees 21 Save data.city.degrees in a variable" }).click();
  await page.getByLabel("Save data.city.degrees in").fill("Degrees");
  await page.keyboard.press("Enter");
  await saved(page);
  const draft = await host.draft(ada, botId);
  const made = draft.variables.find(({ name }) => name === "Degrees");
  expect(draft.groups[0]?.blocks[0]).toMatchObject({
    options: { responseVariableMapping: [{ bodyPath: "data.city.degrees", variableId: made?.id }] },
  });
  await send.click();
  await page.getByText("Changed variables").waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(await announcementsOn(page)).toContain("data.city.degrees is now saved in Degrees.");
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

inBrowser("the trial of a request that Parley refuses shows the reason", async ({ context, problems }) => {
  const webhook = { url: "http://192.168.7.7/lead", method: "POST" };
  const botId = await makeBot([{ id: "call", type: "Webhook", options: { webhook } }]);
  const page = await openFlow(context, host, { user: ada, botId, at: "call" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const refusal = page.locator(".app-banner.is-warning", { hasText: "Parley did not send this request" });
  await refusal.waitFor();
  expect(await refusal.textContent()).toContain(
    "This address is not public. The operator can allow this call by adding the following to Parley’s settings and restarting Parley:OUTGOING_ALLOW=192.168.7.7",
  );
  expect(await page.getByText(/Status \d/).count()).toBe(0);
  expect(await page.locator(".trial-answer").count()).toBe(0);
  expect(await announcementsOn(page)).toContain("Parley did not send this request");
  expect(await axeProblems(page)).toEqual([]);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await refusal.getByRole("button", { name: "Copy" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("OUTGOING_ALLOW=192.168.7.7");
  await refusal.getByRole("button", { name: "Change the address" }).click();
  expect(await page.locator(":focus").inputValue()).toBe("http://192.168.7.7/lead");
  expect(problems).toEqual([]);
});

inBrowser("a picture is uploaded into its field", async ({ context, problems }) => {
  const other = await host.makeBot(ada, workspaceId, { name: "Other", ...flow([{ id: "far", type: "text" }]) });
  const botId = await makeBot([
    { id: "picture", type: "image" },
    { id: "link", type: "Typebot link", options: { typebotId: other } },
  ]);
  const page = await openFlow(context, host, { user: ada, botId, at: "picture" });
  const chooser = page.locator("input[type=file]");
  await page.getByRole("button", { name: "Upload a file" }).waitFor();
  await chooser.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
  await page.locator(".app-field-error", { hasText: "This file is not an image" }).waitFor();
  await chooser.setInputFiles({ name: "odd.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.locator(".app-field-error", { hasText: "This file is not an image" }).waitFor();
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p2GJXwAAAABJRU5ErkJggg==";
  await chooser.setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") });
  await page.locator("img.app-form-picture").waitFor();
  await saved(page);
  const shown = (await host.draft(ada, botId)).groups[0]?.blocks[0];
  expect(JSON.stringify(shown)).toMatch(/\/api\/workspace-files\/[\w-]+\.png/);

  await page.locator('[data-key="block:link"]').click();
  const group = page.getByLabel("Group", { exact: true });
  await group.click();
  await page.getByRole("option", { name: "Elsewhere" }).click();
  await saved(page);
  expect((await host.draft(ada, botId)).groups[0]?.blocks[1]).toMatchObject({ options: { groupId: "g" } });
  expect(await group.inputValue()).toBe("Elsewhere");
  // The expected problems are the rejected file and the picture. The test has no chats' host to serve the picture.
  expect(problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([]);
});

inLongRun(
  "the oldest of many bots and accounts can be selected, and a block can be selected by its text",
  async ({ context }) => {
    const crowd = await host.api.makeWorkspace(ada);
    const oldest = await host.makeBot(ada, crowd, { ...flow([]), name: "Oldest bot" });
    for (let number = 0; number < 100; number++) await host.makeBot(ada, crowd, { ...flow([]), name: `Bot ${number}` });
    const account = async (name: string) =>
      host.call(ada, "POST", `/api/v1/workspaces/${crowd}/credentials`, {
        ...{ type: "openai", name, data: { apiKey: "sk-1234567890ab" } },
      });
    await account("Oldest account");
    for (let number = 0; number < 50; number++) await account(`Account ${number}`);
    const sets = (id: string, expressionToEvaluate: string) => ({
      ...{ id, type: "Set variable", options: { variableId: idOf("v1"), expressionToEvaluate } },
    });
    const blocks = [
      ...[sets("first", "1 + 1"), sets("second", "2 + 2")],
      { id: "link", type: "Typebot link", options: {} },
      { id: "model", type: "openai", options: { action: "Create chat completion" } },
      { id: "jump", type: "Jump", options: { groupId: "g" } },
    ];
    const botId = await host.makeBot(ada, crowd, flow(blocks, "Welcome"));
    const page = await openFlow(context, host, { user: ada, botId, at: "link" });
    const choose = async (field: string, typed: string, option: string) => {
      const box = page.locator("[data-panel-body]").getByRole("combobox", { name: field, exact: true });
      await box.click();
      await box.fill(typed);
      await page.getByRole("option", { name: option, exact: true }).click();
      return box.inputValue();
    };
    expect(await choose("Bot", "Oldest", "Oldest bot")).toBe("Oldest bot");
    await page.locator('[data-key="block:model"]').click();
    expect(await choose("Credentials", "Oldest", "Oldest account")).toBe("Oldest account");
    await page.locator('[data-key="block:jump"]').click();
    expect(await choose("Block", "2 +", "Set variable: City = 2 + 2")).toBe("Set variable: City = 2 + 2");
    await saved(page);
    const draft = await host.draft(ada, botId);
    expect(draft.groups[0]?.blocks.slice(2)).toMatchObject([
      { options: { typebotId: oldest } },
      { options: { credentialsId: expect.any(String) } },
      { options: { groupId: "g", blockId: "second" } },
    ]);
  },
);

inLongRun("the canvas names a linked bot, even next to a link without a chosen bot", async ({ context, problems }) => {
  const other = await host.makeBot(ada, workspaceId, { name: "Other", ...flow([{ id: "far", type: "text" }]) });
  const botId = await makeBot([
    { id: "unfinished", type: "Typebot link", options: {} },
    { id: "link", type: "Typebot link", options: { typebotId: other } },
  ]);
  const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
  await page.locator(".canvas-row", { hasText: "Other" }).waitFor();
  expect(problems).toEqual([]);
});

async function makeBot(blocks: readonly object[]): Promise<string> {
  return host.makeBot(ada, workspaceId, flow(blocks, "Welcome"));
}

function flow(blocks: readonly object[], title = "Elsewhere") {
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
    groups: [{ id: "g", title, graphCoordinates: { x: 0, y: 0 }, blocks }],
    edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g" } }],
    variables: [{ id: idOf("v1"), name: "City" }],
  };
}
