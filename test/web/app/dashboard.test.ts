import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext } from "playwright-core";
import { templates } from "../../../src/core/templates/index.ts";
import { botPictures } from "../../../src/management/bots/pictures/pictures.job.ts";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { putCounts } from "../../support/counted-chats.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

let host: BuilderHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openBuilderHost();
});
afterAll(() => host.close());

const calm = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } } as const;

async function openWorkspace(context: BrowserContext, count: number) {
  const ada = await host.api.makeUser({ name: "Ada Lovelace" });
  const workspaceId = await host.api.makeWorkspace(ada);
  const botIds: string[] = [];
  for (const { id: _, about: __, ...bot } of templates.slice(0, count))
    botIds.push(await importBot(ada, { workspaceId, bot }));
  await botPictures(host.api.deps.sql).removeSome();
  await host.signIn(context, ada.userId);
  return { ada, botIds, home: `${host.origin}/app/w/${workspaceId}` };
}

async function importBot({ token }: TestUser, body: object): Promise<string> {
  return (await host.api.client.post("/api/v1/bots/import", { token, body })).text("bot.id");
}

inBrowser(
  "bots are shown as cards with a picture, or as rows",
  async ({ page, context, problems, outside }) => {
    const { ada, botIds, home } = await openWorkspace(context, 6);
    const [first = "", second = ""] = botIds;
    const { sql } = host.api.deps;
    const settings = { general: { isBrandingEnabled: true } };
    await host.api.client.patch(`/api/v1/bots/${first}`, { token: ada.token, body: { bot: { settings } } });
    for (let day = 0; day < 14; day++)
      await putCounts(sql, first, { kind: "start", chats: 3 + ((day * 7) % 11), hoursAgo: day * 24 });
    await putCounts(sql, first, { kind: "completion", chats: 30, hoursAgo: 26 });
    await putCounts(sql, second, { kind: "start", chats: 4, hoursAgo: 3 }, { kind: "failed", chats: 2, hoursAgo: 3 });
    await page.goto(home);
    const card = page.getByRole("listitem").filter({ hasText: "Lead capture" });
    await card.getByRole("img", { name: /^Chats on each of the last 14 days: \d+, / }).waitFor();

    expect(await card.locator(".flow-picture-block.is-asks").count()).toBeGreaterThan(0);
    expect(await card.getByText(/^\d+ chats in 7 days$/).count()).toBe(1);
    expect(await card.getByText("Ada Lovelace").count()).toBe(1);
    const widths = await page.locator(".bot-card").evaluateAll((cards) => cards.map((one) => one.clientWidth + 2));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(264);
    expect(await axeProblems(page)).toEqual([]);
    expect(await layoutProblems(page)).toEqual([]);

    // The figures link to their bots.
    const failing = page.getByRole("button", { name: /^Bots with errors/ });
    expect(await failing.textContent()).toContain("1");
    await failing.click();
    const dialog = page.getByRole("dialog", { name: "Bots with errors in the last 7 days" });
    const row = dialog.getByRole("row").nth(1);
    await row.waitFor();
    expect((await row.getByRole("cell").allTextContents()).slice(-2)).toEqual(["4", "2"]);
    expect(await axeProblems(page)).toEqual([]);
    await row.getByRole("link").click();
    await page.waitForURL(`**/app/bots/${second}/results?time=last7Days`);

    await page.goto(home);
    // A card works like a row: its link, its checkbox and its menu can be used by keys.
    await page.getByRole("link", { name: "Lead capture" }).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    await page.getByRole("toolbar", { name: "1 selected" }).waitFor();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByRole("button", { name: "More actions for Lead capture" }).press("Enter");
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "Cards" }).focus();
    const kept = page.waitForResponse((response) => response.url().endsWith("/users/me") && response.status() === 200);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("row", { name: /Lead capture/ }).waitFor();
    await kept;
    const me = await host.api.client.get("/api/v1/users/me", { token: ada.token });
    expect(me.at("user.preferences.botsView")).toBe("list");
    // Another browser of the same person also shows rows.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByRole("row", { name: /Lead capture/ }).waitFor();
    expect(problems).toEqual([]);
    expect(outside).toEqual([]);
  },
  calm,
);

inBrowser(
  "the dashboard of a workspace with one bot offers templates",
  async ({ page, context, problems }) => {
    const { home } = await openWorkspace(context, 1);
    // An older node responds without pictures and days.
    await page.route("**/api/v1/bots?*", async (route) => {
      const response = await route.fetch();
      const { bots, ...rest } = await response.json();
      const older = bots.map(({ picture: _, startsByDay: __, ...bot }: Record<string, unknown>) => bot);
      await route.fulfill({ response, json: { ...rest, bots: older } });
    });
    await page.goto(home);
    await page.getByRole("link", { name: /./ }).and(page.locator(".bot-card-link")).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await page.getByRole("heading", { name: "Start from a template" }).waitFor();
    expect(await page.getByRole("button", { name: /^Try “/ }).count()).toBe(7);
    expect(await page.locator(".is-template .flow-picture-block.is-asks").count()).toBeGreaterThan(0);
    expect(await axeProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeProblems(page)).toEqual([]);
    expect(await layoutProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "Try “Quiz with score”" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Quiz with score" }).waitFor();
    await page.getByRole("button", { name: "Use this template: Quiz with score" }).click();
    await page.waitForURL("**/app/bots/*");
    // The preview's frame is on a host that does not exist in this test.
    expect(problems.filter((problem) => !/frame|startChat|status of/i.test(problem))).toEqual([]);
  },
  calm,
);
