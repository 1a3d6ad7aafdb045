import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Holding, startHolding } from "../../../src/channels/holding/holding.ts";
import { outboundOf } from "../../../src/channels/holding/outbound-of.ts";
import { isPublicAddress } from "../../../src/core/flow/outgoing-rules.ts";
import { createSafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type OutsideServer, startOutside } from "../../support/outside.ts";
import { waitFor } from "../../support/wait.ts";

// `toy-channel.test.ts` runs this file in a separate process, in which `register.ts` has registered the channel.
const inBrowser = longBrowserTests();
const ring = "ring-of-a-pigeon";
const letters: URLSearchParams[] = [];
let server: OutsideServer;
let host: AppHost;
let holding: Holding;

beforeAll(async () => {
  server = await startOutside(({ path, headers, body }, response) => {
    const isOurs = path === "/fly" && headers["x-ring"] === ring;
    if (isOurs) letters.push(new URLSearchParams(body));
    response.writeHead(isOurs ? 200 : 400).end(`letter-${letters.length}`);
  });
  const url = `http://127.0.0.1:${server.port}`;
  host = await openAppHost({
    config: { ENCRYPTION_KEY: "k".repeat(32), TELEGRAM_API_URL: url },
    onInbound: (connectionId) => holding.ring(connectionId),
    onChannelSteps: (contactIds) => holding.stepped(contactIds),
    safeFetch: createSafeFetch({ permits: isPublicAddress, channelServers: new Set([url]) }),
  });
  holding = startHolding(host.api.deps, { outbound: outboundOf(host.api.deps) });
});
afterAll(async () => {
  await holding.stop();
  await host.close();
  await server.close();
});

test("a contact of the toy channel writes in form bodies, and answers a choice with a number", async () => {
  const { api, owner, workspaceId } = host;
  const items = ["Green", "Black"].map((content) => ({ id: content, content }));
  const { botId } = await host.publish({
    ...flowOf([
      says("Which tea?"),
      asks("choice input", { variableId: idOf("Name") }, { id: idOf("tea"), items }),
      says("{{Name}} it is."),
    ]),
    variables: [{ id: idOf("Name"), name: "Name" }],
    settings: { messenger: { isEnabled: true }, typingEmulation: { enabled: false } },
  });
  const base = `/api/v1/workspaces/${workspaceId}/channel-connections`;
  const body = { channel: "pigeon", name: "Roof", settings: { loft: "Roof" }, secrets: { ring }, bots: [{ botId }] };
  const made = await api.client.post(base, { token: owner.token, body });
  expect(made.at("channelConnection")).toMatchObject({ channel: "pigeon", display: "Roof", isEnabled: true });
  const connectionId = made.text("channelConnection.id");
  const write = (id: string, text: string, given = ring) =>
    api.client.post(`/api/v1/channels/${connectionId}/webhook`, {
      rawBody: new URLSearchParams({ id, from: "ada", text }).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Ring": given },
    });
  const texts = () => letters.map((letter) => letter.get("text"));

  expect((await write("1", "Hello", "another ring")).status).toBe(401);
  expect((await write("1", "Hello")).status).toBe(200);
  await waitFor(() => letters.length === 1);
  await write("2", "2");
  await write("2", "2");
  await waitFor(() => letters.length === 2);
  expect(texts()).toEqual(["Which tea?\n1. Green\n2. Black", "Black it is."]);
  expect(letters.map((letter) => [letter.get("from"), letter.get("to")])).toEqual([
    ["Roof", "ada"],
    ["Roof", "ada"],
  ]);
  const said = await api.client.get(`${base}/${connectionId}/conversations`, { token: owner.token });
  expect(said.at("conversations.*.name")).toEqual(["ada"]);
});

inBrowser("the builder shows the form of the toy channel from its schema", async ({ page, context }) => {
  await host.signIn(context);
  await page.goto(`${host.builder}/w/${host.workspaceId}/settings/channels`);
  await page.getByRole("button", { name: "Connect a messenger" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Messenger").selectOption({ label: "Pigeon post" });
  await dialog.getByLabel("Name", { exact: true }).fill("Tower");
  await dialog.getByLabel("Name of the loft").fill("Tower");
  await dialog.getByLabel("Ring of the pigeon").fill("short");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByRole("alert").first().waitFor();
  await dialog.getByLabel("Ring of the pigeon").fill("long-enough-ring");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("heading", { name: "Tower" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Settings", exact: true }).click();
  expect(await page.getByLabel("Name of the loft").inputValue()).toBe("Tower");
});
