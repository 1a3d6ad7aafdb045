import { afterAll, beforeAll, expect } from "bun:test";
import { places, searchPath, startFakeAddressSearch } from "../../fake-providers/address-search.ts";
import { type FakeProvider, providerUrls } from "../../fake-providers/kit.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { waitFor } from "../../support/wait.ts";

let host: AppHost;
let search: FakeProvider;
const inBrowser = browserTests();
const plantedKey = "planted-key-of-a-search-7c2e";

beforeAll(async () => {
  search = await startFakeAddressSearch();
  host = await openAppHost({ config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([search]) } });
});
afterAll(async () => {
  await host.close();
  await search.close();
});

inBrowser("an author creates credentials for an address search", async ({ page, context, problems }) => {
  await host.signIn(context);
  const address = asks("address input", { parts: [{ part: "City", variableId: idOf("Name") }] });
  const { botId } = await host.publish(
    flowOf([says("Where do you live?"), address, says("In {{Name}}", "city"), asks("text input")]),
  );

  await page.goto(`${host.builder}/bots/${botId}`);
  await page.getByRole("button", { name: "Show as outline" }).click();
  await page.getByRole("row", { name: /^Address/ }).click();
  await page.getByRole("combobox", { name: "Address search" }).click();
  await page.getByRole("option", { name: "New credentials…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Our search");
  await dialog.getByLabel("Address", { exact: true }).fill(`${search.origin}/v1/autocomplete?text=`);
  await dialog.getByLabel("Header").fill("X-Key");
  await dialog.getByLabel("Key", { exact: true }).fill(plantedKey);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").getByText("Must contain {{query}}").waitFor();
  await dialog.getByLabel("Address", { exact: true }).fill(`${search.origin}${searchPath}`);
  expect(await axeProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  const picker = page.getByRole("combobox", { name: "Address search" });
  await waitFor(async () => (await picker.inputValue()) === "Our search");
  // The credentials must be in the draft before the preview starts.
  await waitFor(async () => {
    const draft = await host.api.client.get(`/api/v1/bots/${botId}`, { token: host.owner.token });
    return draft.at("bot.groups.0.blocks.1.options.credentialsId") !== undefined;
  });

  await page.goto(`${host.builder}/bots/${botId}/preview`);
  const frame = page.frameLocator("iframe");
  await frame.getByRole("combobox").pressSequentially("rivoli");
  await frame.getByRole("option", { name: places[2].label }).click();
  await frame.getByRole("button", { name: "Send" }).click();
  await frame.getByText("In Paris").waitFor();
  // The address without a placeholder for the query was rejected.
  expect(problems).toEqual([expect.stringMatching(/400 .*\/credentials$/)]);
});
