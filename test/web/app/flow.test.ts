import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";

let host: FlowHost;
let ada: TestUser;
let grace: TestUser;
let workspaceId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
  grace = await host.api.makeUser({ name: "Grace" });
  workspaceId = await host.api.makeWorkspace(ada, { [grace.userId]: "MEMBER" });
});
afterAll(() => host.close());

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});
const small = () => ({
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        text("hello", "Hello"),
        {
          id: "plan",
          type: "choice input",
          outgoingEdgeId: "e2",
          items: [
            { id: "small", content: "Small" },
            { id: "large", content: "Large" },
          ],
          options: { variableId: idOf("v1") },
        },
      ],
    },
    { id: "offer", title: "Offer", graphCoordinates: { x: 0, y: 0 }, blocks: [text("bye", "Bye {{Plan}}")] },
  ],
  edges: [
    { id: "e1", from: { eventId: "start" }, to: { groupId: "welcome" } },
    { id: "e2", from: { blockId: "plan" }, to: { groupId: "offer" } },
  ],
  variables: [{ id: idOf("v1"), name: "Plan" }],
});
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Presses "Retry now", unless the page has already retried by itself. */
const tryNow = (page: Page) =>
  page
    .getByRole("button", { name: "Retry now" })
    .click({ timeout: 3_000 })
    .catch(() => {});

inBrowser("a conflict between two people shows both values", async ({ context, problems }) => {
  const botId = await host.makeBot(ada, workspaceId, small());
  const page = await openFlow(context, host, { user: ada, botId, at: "welcome" });
  const other = await context.browser()?.newContext();
  if (!other) throw new Error("There is no browser");
  try {
    const theirs = await openFlow(other, host, { user: grace, botId, at: "offer" });
    await page.getByRole("img", { name: "Here now: Grace" }).waitFor();
    await page.locator('[data-key="group:offer"]').getByText("Grace is here").waitFor({ state: "attached" });
    await theirs.getByLabel("Title of the group").fill("Better offer");
    await page.getByRole("row", { name: "Group Better offer, 1 block" }).waitFor();

    // While Ada's edits cannot be sent, Grace changes the same field.
    await page.route("**/changes", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await page.route("**/changes?*", (route) => route.abort());
    await page.route("**/live?*", (route) => route.abort());
    await page.getByLabel("Title of the group").fill("Ada's welcome");
    await page.locator(".saving-state.is-offline").waitFor();
    await theirs.locator('[data-key="group:welcome"]').click();
    await theirs.getByLabel("Title of the group").fill("Grace's welcome");
    await saved(theirs);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await tryNow(page);
    // The header shows the saving state and the open decision. The field also shows the decision, with the current
    // values.
    const toDecide = page.getByRole("button", { name: "Conflicts: 1" });
    await toDecide.waitFor();
    await saved(page);
    const atField = page.locator(".panel-form .decision");
    expect(await atField.locator("dd").allTextContents()).toEqual(["Ada's welcome", "Grace's welcome"]);
    expect(await atField.textContent()).toContain("Grace changed the same value");
    expect((await host.draft(ada, botId)).groups[0]?.title).toBe("Grace's welcome");
    expect(await axeProblems(page)).toEqual([]);
    await theirs.getByLabel("Title of the group").fill("Grace's welcome, later");
    await atField.getByText("Grace's welcome, later").waitFor();
    // A reload keeps the open decision, and reads the other author's current value.
    await theirs.getByLabel("Title of the group").fill("Grace's last");
    await saved(theirs);
    await page.reload();
    await atField.getByText("Grace's last").waitFor();
    await toDecide.click();
    const entry = page.locator(".unsaved-entry");
    await entry.getByText("Grace's last").waitFor();
    await entry.getByRole("button", { name: "Keep mine" }).click();
    await toDecide.waitFor({ state: "detached" });
    await saved(page);
    await theirs.getByRole("row", { name: /^Group Ada's welcome/ }).waitFor();

    // The edited element is removed in the meantime, and restored.
    await page.route("**/changes", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await page.locator('[data-key="group:offer"]').click();
    await page.getByLabel("Title of the group").fill("My offer");
    await theirs.locator('[data-key="group:offer"]').focus();
    await press(theirs, "Delete");
    await saved(theirs);
    await page.getByText("Grace removed the selected object.").waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await toDecide.click();
    await page.getByRole("button", { name: "Restore the removed part with my change" }).click();
    await theirs.getByRole("row", { name: /^Group My offer/ }).waitFor();
    expect(problems.filter((one) => !one.includes("net::ERR_FAILED"))).toEqual([]);
  } finally {
    await other.close();
  }
});

inBrowser("twenty offline edits survive a reload and are sent once", async ({ context }) => {
  const botId = await host.makeBot(ada, workspaceId, small());
  const page = await openFlow(context, host, { user: ada, botId, at: "hello" });
  const sent: number[] = [];
  await page.route("**/api/v1/bots/**", (route) =>
    route.request().method() === "POST" && route.request().url().endsWith("/changes")
      ? route.abort()
      : route.continue(),
  );
  for (let count = 0; count < 20; count++) {
    await page.locator('[data-key="block:hello"]').focus();
    await press(page, "Control+d");
    await page
      .locator(".outline-row.is-block")
      .nth(3 + count)
      .waitFor();
  }
  await page.locator(".saving-state.is-offline").waitFor();
  expect((await host.draft(ada, botId)).groups[0]?.blocks).toHaveLength(2);
  await page.reload();
  await page.locator(".outline-row.is-block").nth(22).waitFor();
  await page.locator(".saving-state.is-offline").waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/changes")) sent.push(request.postData()?.length ?? 0);
  });
  await tryNow(page);
  await saved(page);
  const draft = await host.draft(ada, botId);
  expect(draft.groups[0]?.blocks).toHaveLength(22);
  expect(draft.revision).toBe(20);
  expect(sent).toHaveLength(1);
});

inLongRun(
  "a flow of ten thousand blocks renders fewer than 2,500 elements, and a typed character causes one small request",
  async ({ context, problems }) => {
    const groups = Array.from({ length: 2_000 }, (_, group) => ({
      id: `g${group}`,
      title: `Group ${group}`,
      graphCoordinates: { x: 0, y: 0 },
      blocks: Array.from({ length: 5 }, (_, block) => text(`b${group}-${block}`, `Text ${group} ${block}`)),
    }));
    const botId = await host.makeBot(ada, workspaceId, {
      ...small(),
      groups,
      edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g0" } }],
    });
    const typesMayCome = Promise.withResolvers<void>();
    await context.route("**/api/v1/block-types*", async (route) => {
      await typesMayCome.promise;
      await route.continue();
    });
    const page = await openFlow(context, host, { user: ada, botId, at: "g1500" });
    await page.getByRole("row", { name: "Group Group 1500, 5 blocks" }).waitFor();
    // Before the block types are loaded, no type is shown as unknown. Afterwards, the blocks are rendered again.
    expect(await page.getByRole("row", { name: "Unknown type" }).count()).toBe(0);
    typesMayCome.resolve();
    await page.getByRole("row", { name: "Text, Text 1500 4" }).waitFor();
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2_500);
    expect(await page.getByRole("treegrid").getAttribute("aria-rowcount")).toBe("12002");
    await page.evaluate(() => {
      const drawn = new Set<string>();
      Object.assign(window, { drawn });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          const part =
            element?.closest("[data-key]")?.getAttribute("data-key") ??
            element?.closest("[data-panel-body], .bot-bar, [aria-live], .outline-rows")?.className;
          if (part) drawn.add(part);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    const sizes: number[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/changes"))
        sizes.push(request.postData()?.length ?? 0);
    });
    const answered = page.waitForResponse((response) => response.url().endsWith("/changes"));
    await page.getByLabel("Title of the group").press("End");
    await page.getByLabel("Title of the group").pressSequentially("!");
    sizes.push((await (await answered).body()).length);
    await saved(page);
    const drawn = await page.evaluate(() => {
      const found: unknown = Reflect.get(window, "drawn");
      return found instanceof Set ? [...found].map(String) : [];
    });
    expect(drawn.filter((part) => part.includes(":"))).toEqual(["group:g1500"]);
    expect(sizes).toHaveLength(2);
    expect(sizes[0] ?? 0).toBeLessThan(2_000);
    expect((sizes[0] ?? 0) + (sizes[1] ?? 0)).toBeLessThan(2_000);
    expect(problems).toEqual([]);
  },
);
