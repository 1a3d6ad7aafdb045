import { afterAll, beforeAll, expect } from "bun:test";
import { rulesOf } from "../../../src/limits/rate-rules.ts";
import { makeSignInLink } from "../../../src/management/access/sign-ins.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { waitFor } from "../../support/wait.ts";

let host: BuilderHost;
let mailServer: MailServer;
let ada: TestUser;
let workspaceId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  mailServer = await startMailServer();
  host = await openBuilderHost({
    config: { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, SMTP_FROM: "bots@example.com" },
    rateLimits: createRateLimits(rulesOf("user.signIns=3/1m:3")),
  });
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(async () => {
  await host.close();
  await mailServer.close();
});

inBrowser("a code from an e-mail signs a user in", async ({ page }) => {
  const lin = await host.api.makeUser({ name: "Lin" });
  await page.goto(`${host.origin}/app/sign-in`);
  await page.getByLabel("E-mail").fill(lin.email);
  await page.keyboard.press("Enter");
  await page.getByText(`If there is an account for ${lin.email}`).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  const mail = await waitFor(() => mailServer.mails.findLast(({ to }) => to.includes(lin.email)), { what: "a mail" });
  const code = /^\d{6}/.exec(mail.text)?.[0] ?? "none";
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  const field = page.getByLabel("Code", { exact: true });
  await field.fill(wrong);
  await page.keyboard.press("Enter");
  await page.getByText("This code is wrong").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press("Enter");
  await page.getByLabel("Your name").waitFor();

  await page.context().clearCookies();
  await page.goto(`${host.origin}/app/sign-in`);
  await page.getByLabel("E-mail").fill(lin.email);
  await page.keyboard.press("Enter");
  for (const count of [1, 2]) {
    await field.fill(`00000${count}`);
    await page.keyboard.press("Enter");
    await page.getByText(count === 1 ? "This code is wrong" : "Too many attempts. Try again").waitFor();
  }
  expect(await axeProblems(page)).toEqual([]);
});

inLongRun(
  "a newcomer who reloads the page continues the setup, and no existing workspace is renamed",
  async ({ page }) => {
    const grace = await host.api.makeUser({ name: "Administrator", scope: "admin" });
    const own = await host.api.makeWorkspace(grace);
    const before = (await host.api.client.get(`/api/v1/workspaces/${own}`, { token: grace.token })).text(
      "workspace.name",
    );
    const enter = async ({ userId }: TestUser, query = "") => {
      const secret = await makeSignInLink(host.api.deps.sql, userId);
      await page.goto(`${host.origin}/app/sign-in${query}#${secret}`);
      await page.getByRole("button", { name: "Sign in with this link" }).click();
    };
    await enter(grace, "?next=/account");
    await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
    await page.reload();
    await page.getByLabel("Your name").and(page.locator(":focus")).fill("Grace");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/account");
    const named = await host.api.client.get(`/api/v1/workspaces/${own}`, { token: grace.token });
    expect(named.text("workspace.name")).toBe(before);

    const lin = await host.api.makeUser({ name: "Lin" });
    await page.context().clearCookies();
    // A user whose sign-in has ended in the meantime signs in again.
    await enter(lin, "?step=workspace");
    await page.getByLabel("Your name").fill("Lin");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your first workspace" }).waitFor();
    await page.reload();
    const name = page.getByLabel("Workspace name");
    await name.and(page.locator(":focus")).waitFor();
    expect(await name.inputValue()).toBe("Lin’s workspace");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/w/*");
  },
);

inBrowser("an invitation link opens the workspace only once", async ({ page }) => {
  const invite = async (email: string) => {
    const path = `/api/v1/workspaces/${workspaceId}/invitations`;
    await host.api.client.post(path, { token: ada.token, body: { email, role: "MEMBER" } });
    const mail = await waitFor(() => mailServer.mails.findLast(({ to }) => to.includes(email)), { what: "a mail" });
    return /^[\w-]{43}$/m.exec(mail.text)?.[0] ?? mail.text;
  };
  const address = async (email: string) => `${host.origin}/app/invitations#${await invite(email)}`;
  const link = await address("lin@example.com");
  await page.goto(link);
  await page.getByRole("heading", { name: "You are invited" }).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await page.getByText("Please fill in this field.").waitFor();
  await page.getByLabel("Your name").fill("Lin");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/app/w/${workspaceId}`);
  await page.getByRole("button", { name: "Lin" }).waitFor();

  await page.goto("about:blank");
  await page.goto(link);
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await page.getByText("This invitation was used").waitFor();
  await page.goto("about:blank");
  await page.goto(await address("grace@example.com"));
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await page.getByText("This invitation is for another e-mail address").waitFor();
});

inBrowser("an outdated browser gets one static page that lists the supported browsers", async ({ page, problems }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.addInitScript(() => Reflect.deleteProperty(Promise, "withResolvers"));
  await page.goto(`${host.origin}/app/w/${workspaceId}`);
  await page.getByRole("heading", { name: "This browser is too old for Parley" }).waitFor();
  await page.getByText("Firefox 125").waitFor();
  expect(await page.locator("#app").innerHTML()).toBe("");
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});
