import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { type BuilderWorld, openBuilderWorld } from "../../support/builder-world.ts";
import { waitFor } from "../../support/wait.ts";

let world: BuilderWorld;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  world = await openBuilderWorld();
});
afterAll(() => world.close());

const calm = { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } } as const;

inBrowser(
  "an administrator creates a user and suspends a workspace",
  async ({ page, context, problems, outside }) => {
    const { host, administrator, emptyId } = world;
    const leaver = await host.api.makeUser({ name: "Ida Rhodes" });
    await host.api.client.post("/api/v1/workspaces", { token: leaver.token, body: { name: "Left behind" } });
    await host.signIn(context, administrator.userId);
    await page.goto(`${host.origin}/app`);
    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Instance" }).click();
    await page.getByRole("button", { name: "New user" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Mary Somerville");
    await page.getByLabel("E-mail").fill("not an address");
    await page.keyboard.press("Enter");
    await page.locator('[aria-invalid="true"]').waitFor();
    expect(await page.getByLabel("E-mail").evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByLabel("E-mail").fill("mary@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Send this token").first().waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /mary@example\.com/ }).waitFor();

    await page.getByRole("button", { name: "More actions for Ida Rhodes" }).click();
    await page.getByRole("menuitem", { name: "Deactivate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Deactivate" }).click();
    await dialog.getByText("“Left behind” would have no administrator").waitFor();
    await dialog.getByRole("combobox", { name: "New administrator" }).fill("Mary");
    await page.getByRole("option", { name: /Mary Somerville/ }).click();
    await dialog.getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("row", { name: /Ida Rhodes.*Deactivated/ }).waitFor();

    await page.getByRole("link", { name: "Suspended workspaces" }).click();
    await page.getByRole("button", { name: "Suspend a workspace" }).click();
    await dialog.getByLabel("Workspace").fill("somewhere");
    await dialog.getByLabel("Reason").fill("Nobody pays for it.");
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await dialog.getByText("Enter an ID, or an address that contains /w/ and an ID.").waitFor();
    await dialog.getByLabel("Workspace").fill(`${host.origin}/app/w/${emptyId}/settings`);
    await dialog.getByRole("button", { name: "Suspend" }).click();
    const row = page.getByRole("row", { name: /An empty one.*Nobody pays for it\./ });
    await row.getByRole("button", { name: "Resume" }).click();
    await dialog.getByRole("button", { name: "Resume" }).click();
    await row.waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Health" }).click();
    await page.getByText("Working").first().waitFor();
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("Working").nth(1).waitFor();
    expect(await page.getByRole("link", { name: "API documentation" }).getAttribute("href")).toEndWith("/docs");
    // The service rejects an address, and refuses to leave a workspace without members.
    expect(problems.filter((problem) => !/status of (400|409)/.test(problem))).toEqual([]);
    expect(outside).toEqual([]);
  },
  calm,
);

inBrowser(
  "a messenger's start condition compares the first message and is stored",
  async ({ page, context, problems }) => {
    const { host, administrator, botId } = world;
    await host.signIn(context, administrator.userId);
    await page.goto(`${host.origin}/app/bots/${botId}/settings?part=messengers`);
    const condition = page.getByRole("group", { name: "Start condition" });
    await condition.getByRole("button", { name: "Add a comparison" }).click();
    await condition.getByText("First message", { exact: true }).waitFor();
    expect(await condition.getByRole("combobox", { name: "Variable 1" }).count()).toBe(0);
    await condition.getByRole("combobox", { name: "Operator 1" }).selectOption("Contains");
    await condition.getByRole("textbox", { name: "Value 1" }).fill("hello");
    const stored = async () => {
      const bot = await host.api.client.get(`/api/v1/bots/${botId}`, { token: administrator.token });
      return bot.at("bot.settings.messenger.startCondition.comparisons");
    };
    await waitFor(async () => JSON.stringify((await stored()) ?? "").includes("hello"));
    expect(await stored()).toEqual([{ id: expect.any(String), comparisonOperator: "Contains", value: "hello" }]);
    expect(await axeProblems(page)).toEqual([]);
    // No chat page is served for the preview next to the settings.
    expect(problems.filter((one) => !String(one).includes("/assets/preview"))).toEqual([]);
  },
);

inBrowser(
  "credentials, secrets and files of a workspace are managed on screens",
  async ({ page, context, problems, outside }) => {
    const { host, administrator, workspaceId, botId } = world;
    const { token } = administrator;
    const { client } = host.api;
    const base = `/api/v1/workspaces/${workspaceId}`;
    await host.signIn(context, administrator.userId);
    const dialog = page.getByRole("dialog");
    const act = async (row: string, item: string) => {
      await page.getByRole("button", { name: `More actions for ${row}` }).click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    };
    await page.goto(`${host.origin}/app/w/${workspaceId}/settings/credentials`);
    await page.getByRole("button", { name: "New credentials" }).click();
    await dialog.getByLabel("Service").selectOption("Mail server (SMTP)");
    await dialog.getByLabel("Name", { exact: true }).fill("Our post");
    await dialog.getByLabel("Host", { exact: true }).fill("smtp.example.com");
    await dialog.getByLabel("Password", { exact: true }).fill("a secret that nobody reads");
    await dialog.getByLabel("Port", { exact: true }).fill("587");
    await dialog.getByLabel("E-mail address of the sender").fill("bots@example.com");
    await dialog.getByRole("button", { name: "Create" }).click();
    await act("Our post", "Edit");
    expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    expect(await dialog.getByLabel("Host", { exact: true }).inputValue()).toBe("smtp.example.com");
    await dialog.getByLabel("Name", { exact: true }).fill("The post office");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /The post office/ }).waitFor();
    expect((await client.get(`${base}/credentials`, { token })).at("credentials.*.name")).toContain("The post office");
    await act("The post office", "Delete");
    await dialog.getByLabel(/Type/).fill("The post office");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("row", { name: /The post office/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New secret" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("shop key");
    await dialog.getByLabel("Value").fill("b7c1e0a94f");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("row", { name: /SHOP_KEY/ }).waitFor();

    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("button", { name: "New endpoint" }).click();
    await dialog.getByLabel("Address").fill("https://hooks.example.com/chosen");
    await dialog.getByLabel("All events").uncheck();
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Choose at least one event.").waitFor();
    await dialog.getByLabel("A chat was completed").check();
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("Copy this secret now").first().waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    const endpoints = await client.get(`${base}/event-endpoints`, { token });
    expect(endpoints.at("eventEndpoints.0.eventTypes")).toEqual(["result.completed"]);
    await act("https://hooks.example.com/chosen", "Send a ping");
    await dialog.getByText("Ping", { exact: true }).waitFor();
    await dialog.getByRole("combobox", { name: "Show" }).selectOption("Delivered");
    await dialog.getByText("No deliveries with this status.").waitFor();
    await page.keyboard.press("Escape");

    await page.goto(`${host.origin}/app/w/${workspaceId}/settings/guests?bot=${botId}`);
    await page.getByRole("button", { name: "Invite a guest" }).click();
    await dialog.getByLabel("E-mail").fill("guest@example.com");
    await dialog.getByLabel("Access").selectOption("Can edit");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Invite a guest" }).click();
    await dialog.getByLabel("E-mail").fill("guest@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Send this link").first().waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    const guest = page.getByRole("row", { name: /guest@example\.com/ });
    await guest.getByRole("button", { name: "Withdraw" }).click();
    await guest.waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Files" }).click();
    await page.locator('input[type="file"]').setInputFiles([
      { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") },
      { name: "mark.svg", mimeType: "image/svg+xml", buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    ]);
    await page.getByText("“note.txt” was not uploaded").waitFor();
    await page.getByRole("link", { name: "mark.svg" }).waitFor();
    await act("mark.svg", "Delete");
    await dialog.getByLabel(/Type/).fill("mark.svg");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "mark.svg" }).waitFor({ state: "detached" });
    expect(problems.filter((problem) => !problem.includes("status of 400"))).toEqual([]);
    expect(outside).toEqual([]);
  },
  calm,
);

inLongRun(
  "a refusal is shown above the screen until it is dismissed, and a bot's menu links to its guests",
  async ({ page, context, problems }) => {
    const { host, administrator, workspaceId } = world;
    await host.signIn(context, administrator.userId);
    await page.goto(`${host.origin}/app/w/${workspaceId}`);
    await page.getByRole("button", { name: "More actions for Lead capture" }).click();
    await page.getByRole("menuitem", { name: "Guests…" }).click();
    expect(await page.getByRole("combobox", { name: "Bot" }).inputValue()).toBe("Lead capture");
    await page.route("**/invitations/*", (route) =>
      route.fulfill({ status: 409, json: { code: "bot.conflict", message: "Somebody accepted it just now." } }),
    );
    await page.getByRole("button", { name: "Withdraw" }).first().click();
    const told = page.getByRole("alert").filter({ hasText: "Somebody accepted it just now." });
    await told.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await told.getByRole("button", { name: "Dismiss" }).click();
    await told.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Withdraw" }).first().click();
    await told.waitFor();
    await page.getByRole("link", { name: "Members" }).click();
    await told.waitFor({ state: "detached" });
    expect(problems.filter((problem) => !problem.includes("status of 409"))).toEqual([]);
  },
  calm,
);

inBrowser(
  "a person's colour scheme and language are kept in another browser",
  async ({ page, context, problems }) => {
    const { host } = world;
    const emmy = await host.api.makeUser({ name: "Emmy Noether" });
    await host.api.makeWorkspace(emmy);
    await host.signIn(context, emmy.userId);
    await page.goto(`${host.origin}/app/account`);
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await page.getByRole("heading", { name: "Konto" }).waitFor();
    const kept = async () =>
      (await host.api.client.get("/api/v1/users/me", { token: emmy.token })).at("user.preferences");
    await waitFor(async () => Bun.deepEquals(await kept(), { scheme: "dark", language: "de", botsView: "cards" }));

    // Simulates another browser, without data of the first.
    await context.clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${host.origin}/app/account?from=a%20mail`);
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
    await page.getByLabel("Token").fill(emmy.token);
    await page.keyboard.press("Enter");
    // The person returns to the complete URL, in their language.
    await page.getByRole("heading", { name: "Konto" }).waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toBe("a mail");
    expect(await page.evaluate(() => document.documentElement.dataset["scheme"])).toBe("dark");
    expect(problems.filter((problem) => !problem.includes("status of 401"))).toEqual([]);
  },
  calm,
);

inLongRun(
  "a preference that was not saved before a reload is saved afterwards, even if an earlier preference was saved",
  async ({ page, context, problems }) => {
    const { host } = world;
    const emmy = await host.api.makeUser({ name: "Emmy Noether" });
    await host.api.makeWorkspace(emmy);
    await host.signIn(context, emmy.userId);
    const first = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/api/v1/users/me", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      requests++;
      if (requests === 1) await first.promise;
      // The second request stays open until the reload.
      if (requests !== 2) await route.continue();
    });
    await page.goto(`${host.origin}/app/account`);
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await page.getByRole("heading", { name: "Konto" }).waitFor();
    await waitFor(() => requests === 1);
    await page.getByRole("radio", { name: "Dunkel" }).check({ force: true });
    first.resolve();
    await waitFor(() => requests === 2);

    await page.reload();
    await page.getByRole("heading", { name: "Konto" }).waitFor();
    await waitFor(async () => {
      const answer = await host.api.client.get("/api/v1/users/me", { token: emmy.token });
      return Bun.deepEquals(answer.at("user.preferences"), { scheme: "dark", language: "de" });
    });
    expect(await page.evaluate(() => document.documentElement.dataset["scheme"])).toBe("dark");
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "the table of results is arranged, filtered and emptied",
  async ({ page, context, problems, outside }) => {
    const { host, administrator, botId } = world;
    await host.signIn(context, administrator.userId);
    const heads = () => page.getByRole("columnheader").allInnerTexts();
    const dialog = page.getByRole("dialog");
    await page.goto(`${host.origin}/app/bots/${botId}/results`);
    await page.getByText("14 results").waitFor();
    const before = await heads();
    await page.getByRole("button", { name: "Columns" }).click();
    await dialog.getByRole("checkbox", { name: "State" }).uncheck();
    await dialog.getByRole("button", { name: "Email: to the left" }).click();
    await dialog.getByRole("button", { name: "Email: wider" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.waitForLoadState("networkidle");
    const arranged = await heads();
    expect(before).toContain("State");
    expect(arranged).not.toContain("State");
    expect(arranged.indexOf("Email")).toBeLessThan(before.filter((head) => head !== "State").indexOf("Email"));
    await page.reload();
    await page.getByText("14 results").waitFor();
    expect(await heads()).toEqual(arranged);
    const kept = await host.api.client.get(`/api/v1/bots/${botId}`, { token: administrator.token });
    expect(Object.values(Object(kept.at("bot.resultsTablePreferences.columnsWidth")))).toEqual([200]);

    await page.getByRole("combobox", { name: "State" }).selectOption("Completed");
    await page.getByText("5 results").waitFor();
    await page.getByRole("combobox", { name: "Time" }).selectOption("Custom range");
    await dialog.getByLabel("From").fill("2026-10-05");
    await dialog.getByLabel("To").fill("2026-10-11");
    await dialog.getByRole("button", { name: "Show" }).click();
    await page.getByText("3 results").waitFor();
    expect(new URL(page.url()).search).toBe("?state=completed&from=2026-10-05&to=2026-10-11");
    await page.getByRole("button", { name: "Variable" }).click();
    await dialog.getByRole("combobox", { name: "Variable" }).fill("Name");
    await page.getByRole("option", { name: "Name", exact: true }).click();
    await dialog.getByLabel("Value").fill("Nobody at all");
    await dialog.getByRole("button", { name: "Show" }).click();
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();
    expect(new URL(page.url()).searchParams.get("is.Name")).toBe("Nobody at all");
    await page.getByRole("button", { name: "Remove filter: Name is “Nobody at all”" }).click();
    await page.getByText("3 results").waitFor();
    await page.getByRole("listitem").getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("14 results").waitFor();

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete all results" }).click();
    await dialog.getByText("This deletes all results of this bot (14)").waitFor();
    await dialog.getByLabel(/Type/).fill("Lead capture");
    await dialog.getByRole("button", { name: "Delete all results" }).click();
    await page.getByRole("heading", { name: "No results yet" }).waitFor();
    expect(problems).toEqual([]);
    expect(outside).toEqual([]);
  },
  calm,
);
