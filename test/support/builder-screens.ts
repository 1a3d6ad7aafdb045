import type { Page } from "playwright-core";
import type { BuilderWorld } from "./builder-world.ts";

/** A screen of the builder, possibly in a state that an action leads to. */
export type BuilderScreen = {
  readonly name: string;
  readonly path: string;
  /** Leads to the state, for example by opening a dialog or filling in a field incorrectly. */
  readonly act?: (page: Page) => Promise<void>;
  /** A mocked response to the requests whose URL matches `to`. */
  readonly answered?: { readonly to: RegExp; readonly status: number; readonly code: string; readonly data?: object };
  /** Matches requests that never get a response. */
  readonly held?: RegExp;
  /** The signed-in user. Defaults to the administrator. */
  readonly as?: "member" | "nobody";
};

const button = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("main").getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
};

const refused = (name: string | RegExp, act: string) => async (page: Page) => {
  await button(name)(page);
  await page.getByRole("dialog").getByRole("button", { name: act, exact: true }).click();
  await page.locator('dialog [aria-invalid="true"]').first().waitFor();
};

const entry = (name: RegExp, item: string) => async (page: Page) => {
  await page.getByRole("main").getByRole("button", { name }).first().click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
  await page.getByRole("dialog").waitFor();
};

/** Opens the dialog to erase a person, and counts the person's results with a mocked response. */
async function counted(page: Page): Promise<void> {
  await page.route("**/person-erasures", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const bots = [{ botId: "bot", name: "Leads", results: 3, answers: 9, sessions: 1, files: 0, resultHashes: [] }];
    const exports = [{ id: "export", botId: "bot", fileName: "results-leads-of-a-very-long-name-2026-11-24.csv" }];
    const spellings = [
      { value: "ada@example.com", results: 2 },
      { value: " ADA@EXAMPLE.COM", results: 1 },
    ];
    const found = { outcome: "counted", isComplete: true, results: 3, match: "folded", bots, exports };
    const variables = [
      { botId: "bot", id: "v1", names: ["Mail", "Email", "The address that a newsletter of ours is sent to"] },
      { botId: "bot", id: "v2", names: ["Email"] },
    ];
    await route.fulfill({ json: { personErasure: found, spellings, variables, onlyInAnswers: 1 } });
  });
  await button("Erase a person")(page);
  await page.getByLabel("Variable", { exact: true }).fill("Email");
  await page.getByLabel("Value", { exact: true }).fill("ada@example.com");
  await page.getByRole("button", { name: "Count" }).click();
  await page.getByRole("dialog", { name: "Erase 3 results?" }).waitFor();
}

/** Returns the screens of the builder except the editor, most of them in several states. */
export function builderScreens(world: BuilderWorld): readonly BuilderScreen[] {
  const { workspaceId, emptyId, suspendedId, botId, quietBotId, resultId } = world;
  const home = `/w/${workspaceId}`;
  const settings = `${home}/settings`;
  const list = /\/api\/v1\/bots\?/;
  return [
    { name: "sign-in", path: "/sign-in", as: "nobody" },
    {
      name: "sign-in, refused",
      path: "/sign-in",
      as: "nobody",
      async act(page) {
        await page.getByLabel("Token").fill("parley_nobody");
        await page.keyboard.press("Enter");
        await page.getByText("This token is wrong").waitFor();
      },
    },
    { name: "sign-in by a link", path: "/sign-in#secret", as: "nobody" },
    { name: "invitation", path: "/invitations#code", as: "nobody" },
    { name: "bots", path: home },
    {
      name: "bots, some ticked",
      path: home,
      async act(page) {
        // Only the list offers "Select all". The next states also show the list.
        await page.getByRole("radio", { name: "List" }).check({ force: true });
        await page.getByRole("checkbox", { name: "Select all" }).check();
        await page.getByRole("toolbar").waitFor();
      },
    },
    { name: "bots, none found", path: `${home}?q=zeppelin` },
    { name: "bots, empty", path: `/w/${emptyId}` },
    { name: "bots, suspended", path: `/w/${suspendedId}` },
    { name: "bots, no right", path: home, answered: { to: list, status: 403, code: "workspace.forbidden" } },
    { name: "bots, not found", path: "/w/01m830bk7sxja6v8xbqwaktf08" },
    { name: "bots, failed", path: home, answered: { to: list, status: 500, code: "server.error" } },
    { name: "bots, loading", path: home, held: list },
    {
      name: "bots, offline",
      path: home,
      async act(page) {
        await page.context().setOffline(true);
        await page.getByText("No connection").waitFor();
      },
    },
    { name: "general, of a member", path: settings, as: "member" },
    { name: "members, of a member", path: `${settings}/members`, as: "member" },
    { name: "events, of a member", path: `${settings}/events`, as: "member" },
    { name: "instance, of a member", path: "/instance", as: "member" },
    { name: "new bot", path: home, act: button("New bot") },
    { name: "rename", path: home, act: entry(/^More actions for/, "Rename") },
    { name: "move", path: home, act: entry(/^More actions for/, "Move to…") },
    { name: "archive", path: `${home}/archive` },
    { name: "bin", path: `${home}/bin` },
    { name: "erase", path: `${home}/bin`, act: entry(/^More actions for/, "Delete permanently") },
    { name: "general", path: settings },
    { name: "members", path: `${settings}/members` },
    { name: "invite, refused", path: `${settings}/members`, act: refused("Invite", "Invite") },
    { name: "guests", path: `${settings}/guests?bot=${botId}` },
    { name: "guests, none", path: `${settings}/guests?bot=${quietBotId}` },
    { name: "tokens", path: `${settings}/tokens` },
    { name: "events", path: `${settings}/events` },
    { name: "endpoint", path: `${settings}/events`, act: entry(/^More actions for/, "Edit") },
    { name: "deliveries", path: `${settings}/events`, act: entry(/^More actions for/, "Deliveries") },
    { name: "credentials", path: `${settings}/credentials` },
    { name: "credentials, empty", path: `/w/${emptyId}/settings/credentials` },
    { name: "new credentials, refused", path: `${settings}/credentials`, act: refused("New credentials", "Create") },
    { name: "files", path: `${settings}/files` },
    { name: "files, empty", path: `/w/${emptyId}/settings/files` },
    { name: "erased people", path: `${settings}/erasures` },
    { name: "erased people, of a member", path: `${settings}/erasures`, as: "member" },
    { name: "erase a person, refused", path: `${settings}/erasures`, act: refused("Erase a person", "Count") },
    { name: "erase a person, counted", path: `${settings}/erasures`, act: counted },
    { name: "profile", path: "/account" },
    { name: "sign-ins", path: "/account/sign-ins" },
    { name: "users", path: "/instance" },
    { name: "new user, refused", path: "/instance", act: refused("New user", "Create") },
    { name: "deactivate", path: "/instance", act: entry(/^More actions for Grace/, "Deactivate") },
    { name: "suspended workspaces", path: "/instance/workspaces" },
    { name: "suspend, refused", path: "/instance/workspaces", act: refused("Suspend a workspace", "Suspend") },
    { name: "health", path: "/instance/health" },
    { name: "results", path: `/bots/${botId}/results` },
    { name: "results, filtered", path: `/bots/${botId}/results?state=completed&from=2026-10-01&q=ada` },
    { name: "results, empty", path: `/bots/${quietBotId}/results` },
    { name: "columns", path: `/bots/${botId}/results`, act: button("Columns") },
    { name: "one result", path: `/bots/${botId}/results/${resultId}` },
    { name: "insight", path: `/bots/${botId}/insight?time=allTime` },
    { name: "insight, empty", path: `/bots/${quietBotId}/insight?time=allTime` },
    { name: "workspace insight", path: `${home}/insight?time=allTime` },
    { name: "workspace insight, empty", path: `/w/${emptyId}/insight` },
    { name: "nowhere", path: "/nowhere/at/all" },
    // This state must be last, because the page keeps showing the note.
    {
      name: "bots, a newer service",
      path: home,
      async act(page) {
        await page.route("**/api/v1/instance", async (route) => {
          const { instance } = await (await route.fetch()).json();
          await route.fulfill({ json: { instance: { ...instance, version: "99.0.0" } } });
        });
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        await page.getByText("Parley was updated").waitFor();
      },
    },
  ];
}

/**
 * Shows a screen. The open page is reused if the same user is signed in and the screen has neither `answered` nor
 * `held`.
 */
export async function showScreen(
  page: Page,
  origin: string,
  { screen, isSame }: { readonly screen: BuilderScreen; readonly isSame: boolean },
): Promise<void> {
  await page.unrouteAll();
  await page.context().setOffline(false);
  const isOpen = page.url().startsWith(`${origin}/app/`);
  if (isOpen && isSame && !screen.answered && !screen.held) {
    await page.evaluate(async (address) => {
      // Navigates through a missing page, so that no dialog of the previous screen remains open.
      for (const next of ["/app/nowhere", address]) {
        history.pushState(null, "", next);
        dispatchEvent(new PopStateEvent("popstate"));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }, `/app${screen.path}`);
    await settled(page);
    await screen.act?.(page);
    await settled(page);
    return;
  }
  const { answered } = screen;
  if (answered) {
    await page.route(answered.to, (route) => {
      const { status, code, data } = answered;
      const headers = status === 429 ? { "Retry-After": "12" } : {};
      return route.fulfill({
        status,
        headers,
        json: { code, message: "The service said so.", data, requestId: "r-1" },
      });
    });
  }
  if (screen.held) await page.route(screen.held, () => {});
  await page.goto("about:blank");
  await page.goto(`${origin}/app${screen.path}`);
  if (screen.held) {
    await page.locator(".app-skeleton").first().waitFor();
    return;
  }
  await settled(page);
  await screen.act?.(page);
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.locator("#app h1").first().waitFor({ state: "attached" });
  // A chat frame is loaded from another origin and has separate tests.
  const busy = ".app-skeleton, [aria-busy=true]:not(iframe)";
  await page.waitForFunction((selector) => document.querySelector(selector) === null, busy);
}
