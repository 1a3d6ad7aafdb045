import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests, emptyPage, longBrowserTests } from "../../support/browser.ts";
import { builderScreens, showScreen } from "../../support/builder-screens.ts";
import { type BuilderWorld, openBuilderWorld } from "../../support/builder-world.ts";
import { flowOf, says } from "../../support/chat.ts";

const inBrowser = browserTests();
const inLongRun = longBrowserTests();
let world: BuilderWorld;
let app: AppHost;

beforeAll(async () => {
  [world, app] = await Promise.all([openBuilderWorld(), openAppHost()]);
});
afterAll(() => Promise.all([world.close(), app.close()]));

const sentence = "a word of ours";

/**
 * Types immediately, like a user who does not look first. Returns the texts of the dialog's fields, and whether the
 * dialog is still open.
 */
async function typed(page: Page): Promise<{ readonly fields: readonly string[]; readonly isOpen: boolean }> {
  await page.keyboard.type(sentence);
  const dialog = page.locator("dialog[open]").last();
  const isOpen = (await dialog.count()) > 0;
  const fields = isOpen
    ? await dialog
        .locator("input:not([type=checkbox], [type=radio]), textarea, [contenteditable=true]")
        .evaluateAll((found) =>
          found.map((one) =>
            one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? one.value : (one.textContent ?? ""),
          ),
        )
    : [];
  return { fields, isOpen };
}

inBrowser("text typed immediately after a dialog opens reaches only its field", async ({ context, problems }) => {
  const { host, administrator } = world;
  await host.signIn(context, administrator.userId);
  const page = await emptyPage(context);
  const writes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const outcomes = new Map<string, string>();
  for (const screen of builderScreens(world).filter(({ name }) => dialogs.includes(name))) {
    await showScreen(page, host.origin, { screen, isSame: true });
    writes.length = 0;
    const { fields, isOpen } = await typed(page);
    // Pastes a very long text into the focused element. Nothing is sent, and no dialog is closed.
    await page.keyboard.insertText("letter ".repeat(1_500));
    expect([screen.name, await page.locator("dialog[open]").count()]).toEqual([screen.name, isOpen ? 1 : 0]);
    outcomes.set(screen.name, fields.some((value) => value.includes(sentence)) ? "typed" : isOpen ? "open" : "closed");
    expect([screen.name, writes]).toEqual([screen.name, []]);
  }
  expect(Object.fromEntries(outcomes)).toEqual({
    "new bot": "open",
    rename: "typed",
    move: "open",
    erase: "typed",
    "invite, refused": "typed",
    endpoint: "typed",
    deliveries: "open",
    "new credentials, refused": "typed",
    "erase a person, refused": "typed",
    "new user, refused": "typed",
    deactivate: "open",
    "suspend, refused": "typed",
    columns: "open",
  });
  expect(problems).toEqual([]);
});

const dialogs = [
  ...["new bot", "rename", "move", "erase", "invite, refused", "endpoint", "deliveries", "new credentials, refused"],
  ...["erase a person, refused", "new user, refused", "deactivate", "suspend, refused", "columns"],
];

inLongRun(
  "a note can be typed while the publish dialog still checks the draft, and becomes the version's note",
  async ({ context, problems }) => {
    await app.signIn(context);
    const { botId } = await app.publish(flowOf([says("Hi")]));
    const page = await emptyPage(context);
    let look: (() => void) | undefined;
    const looked = new Promise<void>((resolve) => {
      look = resolve;
    });
    await page.route("**/lint", async (route) => {
      await looked;
      await route.continue();
    });
    await page.goto(`${app.builder}/bots/${botId}`);
    await page.getByRole("button", { name: /^Publish/ }).click();
    const dialog = page.getByRole("dialog", { name: "Publish" });
    await dialog.waitFor();
    await page.keyboard.type("Spring menu, second try");
    look?.();
    await dialog.locator("button[type=submit]:not([aria-disabled])").waitFor();
    expect(await dialog.getByRole("textbox").inputValue()).toBe("Spring menu, second try");
    await page.keyboard.press("Enter");
    await page
      .getByText(/Version \d+ is live/)
      .first()
      .waitFor();
    const path = `/api/v1/bots/${botId}/publications`;
    const { body } = await app.api.client.get(path, { token: app.owner.token });
    expect(JSON.stringify(body)).toContain('"note":"Spring menu, second try"');
    expect(problems).toEqual([]);
  },
);
