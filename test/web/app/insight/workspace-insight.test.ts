import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../../support/app-host.ts";
import { axeProblems } from "../../../support/axe.ts";
import { browserTests } from "../../../support/browser.ts";
import { asks, flowOf, publish, say, says, start } from "../../../support/chat.ts";
import { layoutProblems } from "../../../support/layout-problems.ts";
import { putResult } from "../../../support/results.ts";
import { putSignIn } from "../../../support/sign-ins.ts";
import { countAll, openSurvey, shoot } from "./insight-world.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();

inBrowser(
  "a workspace shows its bots with trend, errors and model costs",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { api, owner, workspaceId } = host;
    const survey = await openSurvey(host, [30, 54, 78, 102].map(hours));
    const code = { content: 'throw new Error("No")', isExecutedOnClient: false };
    const script = { id: "script", type: "Code", options: code };
    const failing = flowOf([says("Hi"), asks("text input", {}, { id: "word" }), script, says("Done")]);
    const bot = await publish(api.client, { token: owner.token, workspaceId }, { name: "Failing", ...failing });
    const chat = await start(api.client, bot.publicId);
    await say(api.client, chat.text("sessionId"), "So");
    for (let count = 0; count < 12; count++)
      await putResult(api.deps.sql, bot.botId, { createdAt: hours(24 * 40), hasStarted: true });
    await api.deps.sql`
      insert into model_usage (workspace_id, day, bot_id, type, model, calls, tokens_in, tokens_out, money)
      values (${workspaceId}, (clock() at time zone 'UTC')::date, ${bot.botId}, 'openai', 'gpt-5', 3, 900, 100, 0.25)`;
    await countAll(host);
    const query = { timeFilter: "last30Days", timeZone: "UTC" };
    const answer = await api.client.get(`/api/v1/workspaces/${workspaceId}/insight`, { token: owner.token, query });
    expect(answer.at("insight")).toMatchObject({ views: 29, starts: 24, failedChats: 1, before: { views: 12 } });

    await page.goto(`${host.builder}/w/${workspaceId}/insight?zone=UTC`);
    await page.getByRole("heading", { name: "Insight" }).waitFor();
    const figure = (name: string) => page.locator(".insight-figure", { hasText: name }).first().locator("dd");
    expect(await figure("Opened").textContent()).toBe("29previously: 12+142%");
    expect(await figure("With errors").textContent()).toStartWith("1previously: 0");
    const bots = page.getByRole("table", { name: "Bots" });
    const row = (name: string) => bots.getByRole("row", { name }).locator("td");
    expect(await row("Survey").allTextContents()).toEqual(["", "28", "23", "35%", "0"]);
    expect(await row("Failing").allTextContents()).toEqual(["", "1 -92%", "1", "100%", "1"]);
    expect(
      await bots
        .getByRole("img", { name: "Chats opened with Survey: 0 at the start of the period, 0 at the end, 7 at most" })
        .count(),
    ).toBe(1);
    const errors = page.getByRole("table", { name: "Errors in the last 7 days" });
    await errors.getByRole("row", { name: "Failing" }).waitFor();
    const models = page.getByRole("table", { name: "Language models" }).getByRole("row", { name: "gpt-5" });
    expect(await models.locator("td").allTextContents()).toEqual(["3", "1,000", "0.25"]);
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    await shoot(page, "workspace-wide");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "dark"));
    expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    await shoot(page, "workspace-narrow-dark");
    await bots.getByRole("link", { name: "Survey" }).click();
    await page.getByRole("table", { name: "Questions" }).waitFor();
    expect(new URL(page.url()).pathname).toEndWith(`/bots/${survey.botId}/insight`);
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);

inBrowser(
  "a guest of a workspace sees only the figures of the shared bots",
  async ({ page, context }) => {
    const { api, owner } = host;
    const workspaceId = await api.makeWorkspace(owner);
    const place = { token: owner.token, workspaceId };
    const shared = await publish(api.client, place, { name: "Shared", ...flowOf([asks("text input")]) });
    await publish(api.client, place, { name: "Hidden", ...flowOf([asks("text input")]) });
    const guest = await api.makeUser();
    const { sql } = api.deps;
    await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${guest.userId}, 'GUEST')`;
    await sql`insert into collaborators (bot_id, user_id, type) values (${shared.botId}, ${guest.userId}, 'READ')`;
    await putResult(sql, shared.botId, {});
    await countAll(host);
    const { secret } = await putSignIn(sql, guest.userId);
    const { origin } = new URL(host.builder);
    await context.addCookies([{ name: "parley", value: secret, url: origin, httpOnly: true }]);
    await page.goto(`${host.builder}/w/${workspaceId}/insight`);
    const bots = page.getByRole("table", { name: "Bots" });
    await bots.getByRole("row", { name: "Shared" }).waitFor();
    expect(await bots.getByRole("row").count()).toBe(2);
    await page.getByText("No errors in the last 7 days.").waitFor();
    expect(await page.getByRole("heading", { name: "Language models" }).count()).toBe(0);
    // A reader of the bot can also open its insight screen.
    await bots.getByRole("link", { name: "Shared" }).click();
    await page.getByText("1 of 1 never answered (100%)").waitFor();
    await page.goto(`${host.builder}/bots/${shared.botId}?insight=on`);
    await page.getByRole("group", { name: /1 opened, 1 never answered/ }).waitFor();
  },
  { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } },
);
