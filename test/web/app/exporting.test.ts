import { afterAll, beforeAll, expect } from "bun:test";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let host: BuilderHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openBuilderHost();
});
afterAll(() => host.close());

const ranking = (id: string) => ({
  ...asks("ranking input", {}, { items: [{ id: idOf(id), content: "Price" }] }),
  id: idOf(`rank ${id}`),
});

inBrowser(
  "a bot with Parley-specific blocks is exported after a confirmation",
  async ({ page, context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    const make = async (name: string, ...blocks: object[]) =>
      host.api.client.post("/api/v1/bots", {
        token: ada.token,
        body: { workspaceId, bot: { name, ...flowOf([says("Hello"), ...blocks]) } },
      });
    await make("Plain", asks("text input"));
    await make("Priorities", ranking("one"), ranking("two"), { ...asks("signature input"), id: idOf("sign") });
    await host.signIn(context, ada.userId);
    await page.goto(`${host.origin}/app/w/${workspaceId}`);

    const plain = page.waitForEvent("download");
    await exportBot(page, "Plain");
    expect((await plain).suggestedFilename()).toBe("Plain.json");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await exportBot(page, "Priorities");
    const dialog = page.getByRole("dialog", { name: "Export this bot?" });
    await dialog.waitFor();
    expect(await dialog.getByRole("listitem").allTextContents()).toEqual(["Ranking (2)", "Signature (1)"]);
    expect(await axeProblems(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Export as file" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("Priorities.json");
    expect(await readFile(await file.path(), "utf8")).toContain('"ranking input"');
    await dialog.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } },
);

async function exportBot(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Export as file" }).click();
}
