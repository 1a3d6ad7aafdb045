import { afterAll, beforeAll, expect, test } from "bun:test";
import { bringsCode } from "../../../src/core/flow/brings-code.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: Bun.Server<undefined>;
const inBrowser = browserTests();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
});

const date = "2026-12-01T10:00:00.000Z";

function calCom(options: object) {
  const own = { action: "Book event", link: "ana/30min", saveBookedDateInVariableId: idOf("Name"), ...options };
  return { id: idOf("booking"), type: "cal-com", options: own };
}

const booking = (options: object, settings: Record<string, unknown> = {}) => ({
  ...flowOf([says("Choose."), calCom(options), says("See you at {{Name}}.")]),
  settings,
});

const published = (options: object, settings: Record<string, unknown> = {}) =>
  publish(api.client, { token: owner.token, workspaceId }, booking(options, settings));

async function started(options: object) {
  const { publicId } = await published(options);
  return start(api.client, publicId);
}

test("a Cal.com block shows the event's page with prefilled values", async () => {
  const chat = await started({
    link: "https://app.cal.com/ana/30min",
    layout: "Weekly",
    name: "Ana & Bo",
    additionalNotes: "{{Email}}",
    anyPrefilledInformations: [{ questionId: "company", value: "Acme" }, { value: "to nothing" }],
  });
  expect(chat.at("messages.*.type")).toEqual(["text", "custom-embed"]);
  const url = "https://app.cal.com/ana/30min?layout=week_view&name=Ana+%26+Bo&company=Acme";
  expect(chat.at("messages.1.content.url")).toBe(url);
  expect(chat.at("messages.1.content.initFunction.args")).toEqual([
    { id: "origin", value: "https://app.cal.com" },
    { id: "link", value: "ana/30min" },
    { id: "config", value: { layout: "week_view", name: "Ana & Bo", company: "Acme" } },
  ]);
  expect(chat.at("input")).toBeUndefined();

  const answer = await say(api.client, chat.text("sessionId"), date);
  expect(answer.at("messages.*.content.plainText")).toEqual([`See you at ${date}.`]);
});

test("a flow follows the time-out edge of a Cal.com block", async () => {
  const bot = flowOf([calCom({ timeout: { after: 60, outgoingEdgeId: "late" } }), says("See you at {{Name}}.")]);
  const late = { ...says("Call us"), id: idOf("late says") };
  const timed = {
    ...bot,
    groups: [...bot.groups, { id: idOf("late"), title: "Late", graphCoordinates: { x: 0, y: 0 }, blocks: [late] }],
    edges: [...bot.edges, { id: "late", from: { blockId: idOf("booking") }, to: { groupId: idOf("late") } }],
  };
  const { botId } = await publish(api.client, { token: owner.token, workspaceId }, timed);
  const { token } = owner;
  const preview = { token, body: { isTraced: true } };
  const chat = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, preview);
  const passed = await api.client.post(`/api/v1/sessions/${chat.text("sessionId")}/passTime`, { token });
  expect([passed.status, passed.at("messages.*.content.plainText")]).toEqual([200, ["Call us"]]);
});

test.each([
  ["without a link", { link: "{{Email}}" }, "The Cal.com block has no event link"],
  ["with a variable as its server", { baseUrl: "{{Name}}" }, "The URL of the Cal.com server is not valid"],
  ["with a script as its server", { baseUrl: "javascript:x" }, "The URL of the Cal.com server is not valid"],
])("a Cal.com block %s shows nothing, and the log contains the reason", async (_, options, description) => {
  const chat = await started(options);
  expect(chat.at("messages.*.type")).toEqual(["text", "text"]);
  expect(chat.at("logs.*.description")).toEqual([description]);
});

test.each([
  [undefined, false],
  ["https://cal.com/", false],
  ["https://app.cal.com", false],
  ["https://cal.example.com", true],
  ["https://app.cal.com.example.com", true],
  ["http://app.cal.com", true],
])("a Cal.com block with the server %p provides its own code: %p", (baseUrl, isBringing) => {
  expect(bringsCode({ settings: {}, groups: [{ id: idOf("group"), blocks: [calCom({ baseUrl })] }] })).toBe(isBringing);
});

function calendar() {
  const script = `const { q } = Cal;
const asked = (name) => q.filter((one) => one[0] === name).map((one) => one[1]);
const tell = (action, data) =>
  asked("on").forEach((one) => one.action === action && one.callback({ detail: { data } }));
const [{ elementOrSelector, calLink, config }] = asked("inline");
const button = document.createElement("button");
button.textContent = calLink + " for " + config.name + " at " + asked("init")[0].origin;
button.onclick = () => {
  tell("bookingSuccessful", { date: "${date}" });
  tell("bookingSuccessfulV2", { startTime: "another" });
};
document.querySelector(elementOrSelector).append(button);`;
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      new URL(url).pathname === "/embed/embed.js"
        ? new Response(`{\n${script}\n}`, { headers: { "Content-Type": "text/javascript" } })
        : new Response(null, { status: 404 }),
  });
}

inBrowser("the page continues with the date of the visitor's booking", async ({ page }) => {
  const cal = calendar();
  try {
    const { publicId } = await published({ baseUrl: cal.url.origin, name: "Ana" });
    await page.goto(`${server.url.origin}/${publicId}`);
    const frame = page.frameLocator(".custom-embed-bubble iframe");
    const button = frame.getByRole("button", { name: `ana/30min for Ana at ${cal.url.origin}` });
    await button.waitFor();
    expect(await page.locator(".embed-link").isVisible()).toBe(false);
    expect(await page.evaluate("typeof Cal")).toBe("undefined");
    await button.click();

    await page.getByText(`See you at ${date}.`).waitFor();
  } finally {
    await cal.stop(true);
  }
});

inBrowser("the code of an embed adds no second iframe", async ({ page }) => {
  const cal = calendar();
  try {
    const asked = { id: idOf("asked"), type: "text input", options: { labels: { placeholder: "Your company" } } };
    const bot = flowOf([says("Choose."), calCom({ baseUrl: cal.url.origin }), asked]);
    const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, bot);
    await page.goto(`${server.url.origin}/${publicId}`);
    await page.frameLocator(".custom-embed-bubble iframe").getByRole("button").click();
    await page.getByPlaceholder("Your company").waitFor();
    await page.getByPlaceholder("Your company").fill("Acme");
    expect(await page.locator(".custom-embed-bubble iframe").count()).toBe(1);
  } finally {
    await cal.stop(true);
  }
});

inBrowser("the page links to the event if its code is disabled or cannot load", async ({ page }) => {
  // Keep the port bound. Otherwise another program could listen on the port and answer.
  using gone = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open: (one) => one.terminate(), data() {} } });
  const address = `http://127.0.0.1:${gone.port}`;
  const away = await published({ baseUrl: address });
  const off = await published({}, { security: { isAuthorCodeDisabled: true } });
  for (const [{ publicId }, origin] of [
    [away, address],
    [off, "https://app.cal.com"],
  ] as const) {
    await page.goto(`${server.url.origin}/${publicId}`);
    await page.getByText("See you at").waitFor();
    const link = page.locator(".embed-link");
    expect(await link.isVisible()).toBe(true);
    expect(await link.getAttribute("href")).toBe(`${origin}/ana/30min?layout=month_view`);
  }
});

inBrowser("a page whose embed fails early still continues once its chat has started", async ({ page }) => {
  using gone = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open: (one) => one.terminate(), data() {} } });
  const address = `http://127.0.0.1:${gone.port}`;
  const { publicId } = await published({ baseUrl: address });
  const failed = page.waitForEvent("requestfailed", (request) => request.url().startsWith(address));
  await page.route("**/startChat", async (route) => {
    await failed;
    await route.continue();
  });
  await page.goto(`${server.url.origin}/${publicId}`);

  await page.getByText("See you at").waitFor();
});
