import { afterAll, beforeAll, beforeEach, expect } from "bun:test";
import { ownClient } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { flowOf, publish, say, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { layoutProblems } from "../../support/layout-problems.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let google: FakeGoogle;
let stripe: FakeStripe;
let host: BuilderHost;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  google = await startFakeGoogle();
  stripe = await startFakeStripe();
  threads = createThreads({ count: 1 });
  host = await openBuilderHost({
    threads,
    config: {
      ...{ ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google, stripe]) },
      ...{ GOOGLE_CLIENT_ID: ownClient.id, GOOGLE_CLIENT_SECRET: ownClient.secret },
    },
  });
  Object.assign(host.api.deps.ports, { app: Number(new URL(host.origin).port) });
  owner = await host.api.makeUser();
  workspaceId = await host.api.makeWorkspace(owner);
});
beforeEach(() => {
  google.accounts.act = "agrees";
});
afterAll(async () => {
  await threads.close();
  await host.close();
  await google.close();
  await stripe.close();
});

const settings = () => `${host.origin}/app/w/${workspaceId}/settings/credentials`;
const listed = async () =>
  (await host.api.client.get(`/api/v1/workspaces/${workspaceId}/credentials`, { token: owner.token })).at(
    "credentials.*.name",
  );
const wide = { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } } as const;
const narrow = { reducedMotion: "reduce", viewport: { width: 390, height: 780 }, colorScheme: "dark" } as const;

inBrowser(
  "a Google account is connected in another tab",
  async ({ page, context, problems }) => {
    await host.signIn(context, owner.userId);
    await page.goto(settings());
    await page.getByRole("button", { name: "New credentials" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Service").selectOption("Google Sheets");
    await dialog.getByLabel("Name", { exact: true }).fill("Our sheets");
    expect(await axeProblems(page, { within: "dialog" })).toEqual([]);
    expect(await layoutProblems(page)).toEqual([]);

    google.accounts.act = "declines";
    const [declined] = await Promise.all([
      context.waitForEvent("page"),
      dialog.getByRole("button", { name: "Connect Google" }).click(),
    ]);
    await declined.getByText("declined on Google's page").waitFor();
    await dialog.getByText("declined on Google's page").waitFor();
    await declined.close();

    google.accounts.act = "agrees";
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      dialog.getByRole("button", { name: "Connect Google" }).click(),
    ]);
    await tab.getByText("The account is connected").waitFor();
    expect(new URL(tab.url()).search).toBe("");
    expect(await axeProblems(tab)).toEqual([]);
    await dialog.getByText("Connected as ana@example.com").waitFor();
    await dialog.getByRole("button", { name: "Connect Google again" }).waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Our sheets.*Google Sheets/ }).waitFor();
    expect(problems.filter((problem) => !/status of 400/.test(problem))).toEqual([]);
  },
  wide,
);

inLongRun(
  "connecting a Gmail account requests the permission for labels only if the checkbox for labels is selected",
  async ({ page, context }) => {
    await host.signIn(context, owner.userId);
    await page.goto(settings());
    await page.getByRole("button", { name: "New credentials" }).click();
    const dialog = page.getByRole("dialog");
    const box = dialog.getByLabel("Add labels to e-mails");
    expect(await box.count()).toBe(0);
    await dialog.getByLabel("Service").selectOption("Gmail");
    expect(await axeProblems(page, { within: "dialog" })).toEqual([]);
    const connects = async (name: string) => {
      const [tab] = await Promise.all([context.waitForEvent("page"), dialog.getByRole("button", { name }).click()]);
      await tab.getByText("The account is connected").waitFor();
      await tab.close();
      const asked = google.asked.findLast(({ path }) => path === "/o/oauth2/v2/auth");
      return asked?.query
        .get("scope")
        ?.split(" ")
        .map((scope) => scope.replace(/.*\//, ""));
    };
    await box.check();
    expect(await connects("Connect Google")).toEqual(["openid", "email", "gmail.send", "gmail.modify"]);
    expect(await connects("Connect Google again")).toEqual(["openid", "email", "gmail.send"]);
  },
  wide,
);

inBrowser(
  "credentials show their last refusal and the bots that use them",
  async ({ page, context }) => {
    const { client, deps } = host.api;
    const { token } = owner;
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    const data = { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_0123456789-4f2a" };
    const id = (await client.post(path, { token, body: { type: "stripe", name: "Shop", data } })).text(
      "credentials.id",
    );
    await deps.sql`update credentials set last_problem = 'Invalid key', last_problem_at = clock() where id = ${id}`;
    const payment = { id: "pays", type: "payment input", options: { credentialsId: id } };
    await client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "Till", ...flowOf([payment]) } } });
    await host.signIn(context, owner.userId);
    await page.goto(settings());

    await page.getByRole("button", { name: "More actions for Shop" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Invalid key").waitFor();
    await dialog.getByRole("link", { name: "Till" }).waitFor();
    await dialog.getByLabel("Live secret key").waitFor();
    expect(await dialog.getByLabel("Live secret key").inputValue()).toBe("");
    expect(await dialog.getByLabel("Live secret key").getAttribute("placeholder")).toContain("4f2a");
    expect(await axeProblems(page, { within: "dialog" })).toEqual([]);
    expect(await layoutProblems(page)).toEqual([]);
    await dialog.getByLabel("Live publishable key").fill("sk_live_pasted_here");
    await page.keyboard.press("Enter");
    await dialog.getByText("publishable key, which begins with pk_").first().waitFor();
    await dialog.getByLabel("Live publishable key").fill("pk_live_2");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });

    const kept = await client.get(`${path}/${id}`, { token });
    expect(kept.at("credentials.data")).toMatchObject({
      ...{ livePublicKey: "pk_live_2", liveSecretKey: { isSet: true, ends: "4f2a" } },
    });
  },
  narrow,
);

inBrowser(
  "a block's credentials picker can create credentials and then selects them",
  async ({ page, context }) => {
    const { client } = host.api;
    const { token } = owner;
    const payment = { id: "pays", type: "payment input", options: {} };
    const bot = { name: "New till", ...flowOf([payment]) };
    const botId = (await client.post("/api/v1/bots", { token, body: { workspaceId, bot } })).text("bot.id");
    await host.signIn(context, owner.userId);
    await page.goto(`${host.origin}/app/bots/${botId}`);
    await page.getByRole("button", { name: "Show as outline" }).click();
    await page.getByRole("row", { name: /^Payment/ }).click();
    await page.getByRole("combobox", { name: "Stripe account" }).click();
    await page.getByRole("option", { name: "New credentials…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Live publishable key").waitFor();
    // The account already has a name, so a paste goes into its key.
    await page.keyboard.insertText("pk_live_3");
    expect(await dialog.getByLabel("Live publishable key").inputValue()).toBe("pk_live_3");
    await dialog.getByLabel("Live secret key").fill("sk_live_of_the_picker");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });

    expect(await listed()).toContain("Stripe");
    const picker = page.getByRole("combobox", { name: "Stripe account" });
    await waitFor(async () => (await picker.inputValue()) === "Stripe");
  },
  wide,
);

inBrowser(
  "on a phone, pasted text becomes the key of new credentials for a block",
  async ({ page, context }) => {
    const payment = { id: "pays", type: "payment input", options: {} };
    const bot = { name: "Small till", ...flowOf([payment]) };
    const made = await host.api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } });
    await host.signIn(context, owner.userId);
    await page.goto(`${host.origin}/app/bots/${made.text("bot.id")}`);
    await page.getByRole("row", { name: /^Payment/ }).click();
    await page.getByRole("combobox", { name: "Stripe account" }).click();
    await page.getByRole("option", { name: "New credentials…" }).click();
    const key = page.getByLabel("Live publishable key");
    await key.waitFor();
    await page.keyboard.insertText("pk_live_4");
    expect(await key.inputValue()).toBe("pk_live_4");
  },
  narrow,
);

inBrowser(
  "one click sets up payment reports of Stripe",
  async ({ page, context }) => {
    const { client } = host.api;
    const { token } = owner;
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    const data = { livePublicKey: "pk_live_4", liveSecretKey: "sk_live_4", testSecretKey: "sk_test_4" };
    const made = await client.post(path, {
      token,
      body: { type: "stripe", name: "Kiosk", data: { ...data, testPublicKey: "pk_test_4" } },
    });
    const credentialsId = made.text("credentials.id");
    const payment = { id: "pays", type: "payment input", options: { credentialsId, amount: "5" } };
    await publish(client, { token, workspaceId }, flowOf([payment]));
    await host.signIn(context, owner.userId);
    await page.goto(settings());
    const dialog = page.getByRole("dialog");
    const choose = async (item: string) => {
      await page.getByRole("button", { name: "More actions for Kiosk" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };

    await choose("Edit");
    stripe.fail("403", { times: 4 });
    await dialog.getByRole("button", { name: "Set up payment reports from Stripe" }).click();
    await dialog.getByText("Stripe rejected the setup").waitFor();
    expect(await axeProblems(page, { within: "dialog" })).toEqual([]);
    expect(await layoutProblems(page)).toEqual([]);
    stripe.recover();
    await dialog.getByRole("button", { name: "Set up payment reports from Stripe" }).click();
    await dialog.getByText("Stripe reports payments:").waitFor();
    expect(stripe.webhooks.length).toBe(2);
    await page.keyboard.press("Escape");

    await choose("Delete");
    await dialog.getByText("Published bots use these credentials.").waitFor();
    await dialog.getByRole("link", { name: "Chat" }).waitFor();
    expect(await axeProblems(page, { within: "dialog" })).toEqual([]);
    await dialog.getByRole("textbox").fill("Kiosk");
    await dialog.getByRole("button", { name: "Delete anyway" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await listed()).not.toContain("Kiosk");
  },
  narrow,
);

inLongRun(
  "credentials that a bot starts to use during their deletion are deleted only after a second confirmation",
  async ({ page, context }) => {
    const { client } = host.api;
    const { token } = owner;
    const data = { livePublicKey: "pk_live_5", liveSecretKey: "sk_live_5" };
    const made = await client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
      token,
      body: { type: "stripe", name: "Stall", data },
    });
    await host.signIn(context, owner.userId);
    await page.goto(settings());
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "More actions for Stall" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("textbox").fill("Stall");
    const payment = {
      id: "pays",
      type: "payment input",
      options: { credentialsId: made.text("credentials.id"), amount: "5" },
    };
    await publish(client, { token, workspaceId }, flowOf([payment]));

    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("button", { name: "Delete anyway" }).waitFor();
    expect(await listed()).toContain("Stall");
    await dialog.getByRole("button", { name: "Delete anyway" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await listed()).not.toContain("Stall");
  },
  wide,
);

inBrowser(
  "a secret used by a bot in the bin is deleted after a confirmation",
  async ({ page, context }) => {
    const { token } = owner;
    const { client } = host.api;
    const at = (path: string) => `/api/v1/workspaces/${workspaceId}/${path}`;
    await client.put(at("secrets/STALL_KEY"), { token, body: { value: "planted-Value_0123456789" } });
    const rawBody = Uint8Array.from(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));
    const url = (await client.post(at("files"), { token, query: { name: "stall.png" }, rawBody })).text(
      "workspaceFile.url",
    );
    const webhook = { url: "https://crm.example.com/{{secret.STALL_KEY}}" };
    const blocks = [
      { id: "picture", type: "image", content: { url } },
      { id: "call", type: "Webhook", options: { webhook } },
    ];
    const { botId } = await publish(client, { token, workspaceId }, flowOf(blocks));
    await client.delete(`/api/v1/bots/${botId}`, { token });
    await host.signIn(context, owner.userId);
    const dialog = page.getByRole("dialog");

    for (const [place, name] of [
      ["credentials", "STALL_KEY"],
      ["files", "stall.png"],
    ]) {
      await page.goto(`${host.origin}/app/w/${workspaceId}/settings/${place}`);
      await page.getByRole("button", { name: `More actions for ${name}` }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await dialog.getByRole("textbox").fill(name ?? "");
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await dialog.getByText("Chat (in the bin)").waitFor();
      expect(await dialog.getByRole("link").count()).toBe(0);
      expect(await axeProblems(page, { within: "dialog" })).toEqual([]);
      await dialog.getByRole("button", { name: "Delete anyway" }).click();
      await dialog.waitFor({ state: "detached" });
    }
    expect((await client.get(at("secrets/STALL_KEY"), { token })).at("code")).toBe("secret.not_found");
    expect((await client.get(at("files"), { token })).at("files")).toEqual([]);
  },
  wide,
);

inBrowser(
  "the results show the total of the payments",
  async ({ page, context }) => {
    const { client } = host.api;
    const { token } = owner;
    const data = { livePublicKey: "pk_live_6", liveSecretKey: "sk_live_6" };
    const made = await client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
      token,
      body: { type: "stripe", name: "Fair", data },
    });
    const options = { credentialsId: made.text("credentials.id"), amount: "12.50", currency: "EUR" };
    const flow = flowOf([{ id: "pays", type: "payment input", options }]);
    const { botId, publicId } = await publish(client, { token, workspaceId }, flow);
    const started = await start(client, publicId);
    stripe.confirm(started.text("input.runtimeOptions.paymentIntentSecret"));
    await say(client, started.text("sessionId"), "Success");
    await start(client, publicId);
    await host.signIn(context, owner.userId);
    await page.goto(`${host.origin}/app/bots/${botId}/results`);

    await page.getByText("€12.50 paid").waitFor();
    await page.getByRole("columnheader", { name: "Paid" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.goto(`${host.origin}/app/bots/${botId}/results/${started.text("resultId")}`);
    await page.getByRole("tab", { name: "Data" }).click();
    await page.getByText("€12.50 · Paid").waitFor();
  },
  wide,
);
