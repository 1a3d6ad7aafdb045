import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Page, Route } from "playwright-core";
import { limits } from "../../../src/limits/index.ts";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, emptyPage, longBrowserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, says } from "../../support/chat.ts";
import { saved } from "../../support/flow-page.ts";
import { watchLive } from "../../support/live-draft.ts";
import { waitFor } from "../../support/wait.ts";

// Tests failures while an author edits: no edit may be lost, and one sentence must describe the situation.

let host: BuilderHost;
let ada: TestUser;
let grace: TestUser;
let workspaceId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openBuilderHost();
  ada = await host.api.makeUser({ name: "Ada" });
  grace = await host.api.makeUser({ name: "Grace" });
  workspaceId = await host.api.makeWorkspace(ada, { [grace.userId]: "MEMBER" });
});
afterAll(() => host.close());

const client = () => host.api.client;
async function makeBot(): Promise<string> {
  const bot = { name: "Leads", ...flowOf([says("Hello")], [says("Bye")]) };
  return (await client().post("/api/v1/bots", { token: ada.token, body: { workspaceId, bot } })).text("bot.id");
}
const titlesOf = async (botId: string) =>
  (await client().get(`/api/v1/bots/${botId}`, { token: ada.token })).at("bot.groups.*.title");

async function open(context: BrowserContext, botId: string, at = idOf("g0")): Promise<Page> {
  const page = await emptyPage(context);
  await page.addInitScript(() => localStorage.setItem("parley.flow-view", "outline"));
  await page.goto(`${host.origin}/app/bots/${botId}?at=${at}`);
  await page.getByLabel("Title of the group").waitFor();
  return page;
}
const rename = (page: Page, title: string) => page.getByLabel("Title of the group").fill(title);
const sets = "**/api/v1/bots/*/changes";
/** Makes all requests with change sets fail. All other requests succeed. */
const cutSets = (page: Page) => page.route(sets, (route) => (isSet(route) ? route.abort() : route.continue()));
const isSet = (route: Route) => route.request().method() === "POST";
async function downloaded(page: Page, button: string | RegExp): Promise<Readonly<Record<string, unknown>>> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return Bun.file(await download.path()).json();
}

inBrowser("a page becomes read-only when its bot is archived or inaccessible", async ({ context }) => {
  await host.signIn(context, grace.userId);
  const botId = await makeBot();
  const page = await open(context, botId);
  await cutSets(page);
  await rename(page, "Half typed");
  await page.locator(".saving-state.is-offline").waitFor();

  await client().post(`/api/v1/bots/${botId}/archive`, { token: ada.token, body: {} });
  const told = page.getByRole("alert").filter({ hasText: "This bot is archived" });
  await told.first().waitFor();
  await page.locator('[role="treegrid"][aria-readonly="true"]').waitFor();
  expect(await page.getByLabel("Title of the group").getAttribute("readonly")).not.toBeNull();
  expect(await axeProblems(page)).toEqual([]);
  const bot = await downloaded(page, "Download unsaved changes");
  const brought = await client().post("/api/v1/bots/import", { token: ada.token, body: { workspaceId, bot } });
  expect(brought.at("bot.groups.*.title")).toEqual(["Half typed", "Group 1"]);
  expect(await titlesOf(botId)).toEqual(["Group 0", "Group 1"]);
  await page.close();

  // A tab without notifications notices the suspension at the first edit.
  const suspending = await open(context, await makeBot());
  const administrator = await host.api.makeUser({ scope: "admin" });
  const act = (verb: string, body: object) =>
    client().post(`/api/v1/workspaces/${workspaceId}/${verb}`, { token: administrator.token, body });
  await act("suspend", { reason: "Unpaid" });
  await rename(suspending, "Too late");
  await suspending.getByRole("alert").filter({ hasText: "The workspace is suspended" }).first().waitFor();
  await suspending.goto(`${host.origin}/app/w/${workspaceId}`);
  await suspending.getByText("Reason: Unpaid").waitFor();
  await act("resume", {});
  await suspending.close();

  const leaving = await open(context, await makeBot());
  const path = `/api/v1/workspaces/${workspaceId}/members`;
  await client().delete(`${path}/${grace.userId}`, { token: ada.token });
  await rename(leaving, "Not mine any more");
  await leaving.locator('[role="treegrid"][aria-readonly="true"]').waitFor();
  const left = await downloaded(leaving, "Download unsaved changes");
  expect(JSON.stringify(left)).toContain("Not mine any more");
  await host.api.deps.sql`
      insert into members (workspace_id, user_id, role) values (${workspaceId}, ${grace.userId}, 'MEMBER')`;
});

inBrowser("unsaved changes are kept until the author has signed in again", async ({ context }) => {
  await host.signIn(context, ada.userId);
  const botId = await makeBot();
  const page = await open(context, botId);
  const otherTab = await open(context, botId, idOf("g1"));
  await context.clearCookies();
  await rename(page, "Typed without");
  const dialog = page.getByRole("dialog", { name: "Please sign in again" });
  await dialog.getByLabel("Token").fill(ada.token);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await saved(page);
  expect(await titlesOf(botId)).toEqual(["Typed without", "Group 1"]);
  await otherTab.getByRole("row", { name: /^Group Typed without/ }).waitFor();

  await context.clearCookies();
  await rename(page, "Only Ada's");
  await dialog.getByLabel("Token").fill(grace.token);
  await page.keyboard.press("Enter");
  const offered = page.getByRole("dialog", { name: "Unsaved changes by another person" });
  await offered.waitFor();
  expect(await axeProblems(page)).toEqual([]);
  const file = await downloaded(page, "Download “Leads”");
  expect(file).toMatchObject({ name: "Leads", groups: [{ title: "Only Ada's" }, { title: "Group 1" }] });
  await offered.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/app/w/*");
  await page.getByRole("button", { name: "Grace" }).waitFor();
  // The browser has only one sign-in, so Ada's other tab sends nothing as Grace.
  await otherTab.getByRole("dialog", { name: "Please sign in again" }).waitFor();
  expect(await titlesOf(botId)).toEqual(["Typed without", "Group 1"]);

  // The tab waits for Ada. When she signs in in another tab, the waiting tab continues by itself.
  await context.clearCookies();
  await page.goto(`${host.origin}/app/sign-in?next=/bots/${botId}`);
  await page.getByLabel("Token").fill(ada.token);
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /^Group Only Ada's/ }).waitFor();
  await saved(page);
  await otherTab.getByRole("dialog").waitFor({ state: "detached" });
  await otherTab.getByRole("row", { name: /^Group Only Ada's/ }).waitFor();
  expect(await titlesOf(botId)).toEqual(["Only Ada's", "Group 1"]);
});

inBrowser("in a browser without storage, the page warns and still saves", async ({ context }) => {
  await host.signIn(context, ada.userId);
  const botId = await makeBot();
  await context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("Refused", "SecurityError");
    };
    for (const name of ["indexedDB", "localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: refuse });
  });
  const page = await open(context, botId);
  await page.getByText("This browser can’t store your work").waitFor();
  await rename(page, "Saved all the same");
  await saved(page);
  await cutSets(page);
  await rename(page, "Only here");
  await page.getByText("Offline, and this browser can’t save").first().waitFor();
  const asked = new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    });
  });
  await page.close({ runBeforeUnload: true });
  expect(await asked).toBe("beforeunload");
  expect(await titlesOf(botId)).toEqual(["Saved all the same", "Group 1"]);
});

inLongRun("full storage is reported until space is available", async ({ context, problems }) => {
  await host.signIn(context, ada.userId);
  await context.addInitScript(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...given) {
      if (Reflect.get(window, "isFull") === true) throw new DOMException("Full", "QuotaExceededError");
      return put.apply(this, given);
    };
  });
  const page = await open(context, await makeBot());
  await saved(page);
  expect(await page.getByText("This browser can’t store your work").count()).toBe(0);
  await page.evaluate(() => Object.assign(window, { isFull: true }));
  await rename(page, "No room");
  await page.getByText("This browser can’t store your work").waitFor();
  await page.evaluate(() => Object.assign(window, { isFull: false }));
  await rename(page, "Room again");
  await page.getByText("This browser can’t store your work").waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

inBrowser("two tabs of one person stay in sync", async ({ context }) => {
  await host.signIn(context, ada.userId);
  const botId = await makeBot();
  const [one, other] = [await open(context, botId), await open(context, botId, idOf("g1"))];
  await rename(one, "From one");
  await rename(other, "From the other");
  await other.getByRole("row", { name: /^Group From one/ }).waitFor();
  await one.getByRole("row", { name: /^Group From the other/ }).waitFor();
  await one.getByRole("button", { name: /^Undo: Rename/ }).click();
  await other.getByRole("row", { name: /^Group Group 0/ }).waitFor();
  await saved(one);
  expect(await titlesOf(botId)).toEqual(["Group 0", "From the other"]);

  // Simulates the responses of a service that is stopping, and of its proxy while there is no service.
  let tries = 0;
  await one.route(sets, (route) => {
    if (!isSet(route)) return route.continue();
    tries++;
    const isOurs = tries % 2 === 0;
    return route.fulfill({
      status: 503,
      ...(isOurs ? { json: { code: "server.stopping" }, headers: { "Retry-After": "1" } } : { body: "<h1>503</h1>" }),
    });
  });
  await rename(one, "While it restarted");
  await one.locator(".saving-state.is-offline").waitFor();
  await one.getByText(/^Retrying in \d+ s$/).waitFor();
  await one.getByRole("button", { name: "Retry now" }).click();
  await one.locator(".saving-state.is-offline").waitFor();
  await one.unrouteAll({ behavior: "ignoreErrors" });
  await other.getByRole("row", { name: /^Group While it restarted/ }).waitFor();
  await saved(one);
  const history = await client().get(`/api/v1/bots/${botId}/changes`, { token: ada.token, query: { after: 0 } });
  expect(history.list("changeSets")).toHaveLength(4);
});

inBrowser("a page of an older release keeps saving and offers a reload", async ({ context }) => {
  await host.signIn(context, ada.userId);
  const botId = await makeBot();
  const page = await open(context, botId);
  await page.route("**/api/v1/instance", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { instance: { ...answer.instance, version: "99.0.0" } } });
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByText("Parley was updated").waitFor();
  await rename(page, "Still saved");
  await saved(page);
  expect(await titlesOf(botId)).toEqual(["Still saved", "Group 1"]);

  await page.route(sets, (route) =>
    isSet(route) ? route.fulfill({ status: 404, json: { code: "route.not_found" } }) : route.continue(),
  );
  await rename(page, "Kept");
  await page.getByRole("alert").filter({ hasText: "Parley was updated: reload" }).first().waitFor();
  await page.locator('[role="treegrid"][aria-readonly="true"]').waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("row", { name: /^Group Kept/ }).waitFor();
  await saved(page);
  expect(await titlesOf(botId)).toEqual(["Kept", "Group 1"]);
});

inLongRun("a tab hidden for five minutes sends no request until the tab is shown again", async ({ context }) => {
  await host.signIn(context, ada.userId);
  const botId = await makeBot();
  await context.clock.install();
  const page = await open(context, botId);
  await saved(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
  const show = (state: string) =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => visibility });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  const stillHere = page.waitForRequest((request) => request.url().endsWith("/presence"));
  await page.clock.runFor("04:50");
  await stillHere;
  const goodBye = page.waitForRequest((request) => request.postData()?.includes('"isHere":false') ?? false);
  await page.clock.runFor("00:15");
  await goodBye;
  asked.length = 0;
  await page.clock.runFor("30:00");
  expect(asked).toEqual([]);
  await show("visible");
  await client().post(`/api/v1/bots/${botId}/changes`, {
    token: ada.token,
    body: {
      base: 0,
      changeSets: [
        {
          id: crypto.randomUUID(),
          title: "Rename",
          changes: [{ op: "set", of: "group", id: idOf("g0"), path: ["title"], value: "Meanwhile" }],
        },
      ],
    },
  });
  await page.clock.resume();
  await page.getByRole("row", { name: /^Group Meanwhile/ }).waitFor();
  expect(asked).toContain("live");
});

inLongRun(
  "a window beyond the limit of open windows reports the limit, keeps saving, and reconnects only on request",
  async ({ context }) => {
    await host.signIn(context, ada.userId);
    const botId = await makeBot();
    await context.clock.install();
    const page = await open(context, botId);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
    const goodBye = page.waitForRequest((request) => request.postData()?.includes('"isHere":false') ?? false);
    const elsewhere = [];
    for (let count = 0; count < limits.editing.watchersPerUser; count++)
      elsewhere.push(await watchLive(host.api, ada, botId, 0));

    const notice = page.getByRole("alert").filter({ hasText: "This bot is open in many of your windows" });
    await notice.waitFor();
    await goodBye;
    asked.length = 0;
    // The page polls the changes of other authors, without opening a stream or reporting its presence.
    for (let turn = 0; turn < 3; turn++) {
      const read = page.waitForResponse((response) => response.url().includes("/changes?after="));
      await page.clock.runFor("00:11");
      await read;
    }
    await rename(page, "Still saved");
    await page.getByRole("row", { name: /^Group Group 1/ }).click();
    await page.clock.runFor("00:05");
    await saved(page);
    expect(await titlesOf(botId)).toEqual(["Still saved", "Group 1"]);
    expect([...new Set(asked)].filter((name) => name === "live" || name === "presence")).toEqual([]);

    await page.clock.resume();
    await page.getByRole("button", { name: "Update this window live" }).click();
    await notice.waitFor({ state: "detached" });
    const [first, ...others] = elsewhere;
    for (let event = await first?.next(); event?.event !== "closed"; event = await first?.next())
      expect(event).toBeDefined();
    await waitFor(() => asked.includes("presence"), { what: "that it says that it is here" });
    expect(asked.filter((name) => name === "live")).toEqual(["live"]);
    await Promise.all(others.map((watcher) => watcher.stop()));
  },
);
