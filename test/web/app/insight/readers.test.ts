import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext } from "playwright-core";
import type { TestUser } from "../../../support/api.ts";
import { type AppHost, openAppHost } from "../../../support/app-host.ts";
import { browserTests } from "../../../support/browser.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../../support/chat.ts";
import { putSignIn } from "../../../support/sign-ins.ts";
import { countAll } from "./insight-world.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const calm = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } } as const;

async function signIn(context: BrowserContext, user: TestUser): Promise<void> {
  const { secret } = await putSignIn(host.api.deps.sql, user.userId);
  await context.clearCookies();
  const { origin } = new URL(host.builder);
  await context.addCookies([{ name: "parley", value: secret, url: origin, httpOnly: true }]);
}

/**
 * Creates a bot with one chat and one comment, people who may read the bot, and a guest of the workspace who may not.
 */
async function openBot() {
  const { api, owner, workspaceId } = host;
  const { sql } = api.deps;
  const flow = flowOf([
    says("Your name?"),
    asks("text input", { variableId: idOf("Name") }, { id: "name" }),
    asks("email input", { variableId: idOf("Email") }, { id: "mail" }),
  ]);
  const { botId, publicId } = await host.publish(flow);
  const chat = await start(api.client, publicId);
  await say(api.client, chat.text("sessionId"), "Grace of the harbour");
  await countAll(host);
  const [reader, guest, stranger] = await Promise.all(
    ["Reader", "Guest", "Stranger"].map((name) => api.makeUser({ name })),
  );
  if (!reader || !guest || !stranger) throw new Error("There are not enough people");
  for (const { userId } of [guest, stranger])
    await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, 'GUEST')`;
  for (const { userId } of [reader, guest])
    await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${userId}, 'READ')`;
  const body = { text: "Is this needed?", place: { kind: "block", id: "mail" } };
  expect((await api.client.post(`/api/v1/bots/${botId}/comments`, { token: owner.token, body })).status).toBe(200);
  return { botId, resultId: chat.text("resultId"), reader, guest, stranger };
}

inBrowser(
  "a reader and a guest of a bot see figures, chats and comments",
  async ({ page, context, problems }) => {
    const { botId, resultId, reader, guest } = await openBot();
    const { client } = host.api;
    const { token } = host.owner;
    const query = { format: "rich" };
    const path = `/api/v1/bots/${botId}/results/${resultId}/transcript`;
    const whole = await client.get(path, { token, query });
    for (const user of [reader, guest]) {
      await signIn(context, user);
      expect((await client.get(path, { token: user.token, query })).body).toEqual(whole.body);
      await page.goto(`${host.builder}/bots/${botId}/insight`);
      const worst = page.locator(".insight-drops > li").first();
      await worst.getByText("1 of 1 left here (100%)").waitFor();
      await worst.getByRole("link", { name: "See the chats" }).click();
      await page.getByRole("button", { name: "Remove filter: Left at Group 0 · Email" }).waitFor();
      await page.getByRole("row").nth(1).getByRole("link").first().click();
      const seen = page.frameLocator("iframe.results-seen");
      await seen.getByText("Your name?").waitFor();
      await seen.getByText("Grace of the harbour").waitFor();
      const sheet = page.getByRole("dialog");
      expect(await sheet.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
      await sheet.getByText("As text").click();
      await sheet.getByRole("listitem").filter({ hasText: "Grace of the harbour" }).waitFor();
      expect(await page.getByRole("row").first().getByRole("checkbox").count()).toBe(0);
      const all = { body: { all: true } };
      expect((await client.delete(`/api/v1/bots/${botId}/results`, { token: user.token, ...all })).status).toBe(403);

      await page.goto(`${host.builder}/bots/${botId}`);
      await page.getByRole("button", { name: /^Comments: \d new$/ }).click();
      const thread = page.locator(".comment-thread");
      await thread.getByText("Is this needed?").waitFor();
      expect(await thread.getByRole("button", { name: /^(Delete|Edit)$/ }).count()).toBe(0);
      await thread.getByRole("button", { name: "Reply" }).click();
      await page.getByRole("textbox", { name: "Write a reply" }).fill("I think so");
      await page.keyboard.press("Control+Enter");
      // Each person can only delete their own comment.
      await thread.getByRole("button", { name: "Delete" }).waitFor();
      expect(await thread.getByRole("button", { name: "Delete" }).count()).toBe(1);
      await thread.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await thread.getByTitle("Delete").waitFor({ state: "detached" });
    }
    // The guest requests the workspace, which is hidden, and the tab still reports the presence of the previous reader.
    const expected = /\/api\/v1\/(workspaces\/\w+|bots\/\w+\/presence)$/;
    expect(problems.filter((problem) => !expected.test(problem))).toEqual([]);
  },
  calm,
);

inBrowser(
  "a guest without access to a bot sees none of its figures and chats",
  async ({ page, context }) => {
    const { botId, resultId, stranger } = await openBot();
    const { client } = host.api;
    await signIn(context, stranger);
    for (const path of ["insight", "insight/series", `results/${resultId}/transcript`, "comments", "publications"]) {
      const refused = await client.get(`/api/v1/bots/${botId}/${path}`, { token: stranger.token });
      expect([path, refused.status]).toEqual([path, 404]);
    }
    for (const path of ["/insight", `/results/${resultId}`, ""]) {
      await page.goto(`${host.builder}/bots/${botId}${path}`);
      await page.getByText("Not found").first().waitFor();
      expect(await page.getByText(/Grace|Is this needed|left here/).count()).toBe(0);
    }
  },
  calm,
);
