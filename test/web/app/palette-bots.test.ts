import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { flowOf, says } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

/** More bots than one page of the list contains. */
const newerBots = 105;

inBrowser("in a workspace with over a hundred bots, a bot is found by its name", async ({ page, context }) => {
  await host.signIn(context);
  const { client } = host.api;
  const { token } = host.owner;
  const { botId } = await host.publish(flowOf([says("Tea")]));
  const workspaceId = (await client.get(`/api/v1/bots/${botId}`, { token })).text("bot.workspaceId");
  await client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { name: "Harvest of the old mill" } } });
  for (let count = 0; count < newerBots; count++) {
    const made = await client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: `Newer ${count}` } } });
    expect(made.status).toBe(200);
  }
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.goto(`${host.builder}/w/${workspaceId}`);
  await page.getByRole("link", { name: "Newer 104" }).first().waitFor();
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await page.keyboard.type("mill harvest");
  // Enter waits for the search, even if it is pressed immediately.
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/bots/${botId}`);

  // The bot's own screens offer a command for its live version, and commands for all other bots.
  await page.goto(`${host.builder}/bots/${botId}`);
  await page.getByRole("button", { name: /^Publish/ }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("compare the draft");
  await palette.getByRole("option", { name: "Compare the draft with the live version", selected: true }).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("nobody’s bot");
  await palette.getByText("No results for “nobody’s bot”.").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("newer 7");
  await palette.getByRole("option", { name: "Newer 7", exact: true }).waitFor();
});
