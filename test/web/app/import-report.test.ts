import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { fortyCalls } from "../../support/forty-calls.ts";

let host: BuilderHost;
const inBrowser = browserTests();
beforeAll(async () => {
  host = await openBuilderHost();
});
afterAll(() => host.close());

inBrowser(
  "the report on a file with 40 old blocks has at most six lines",
  async ({ page, context }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    await host.signIn(context, ada.userId);
    await page.goto(`${host.origin}/app/w/${workspaceId}`);
    await page
      .getByRole("button", { name: "New bot" })
      .or(page.getByRole("button", { name: "From a template" }))
      .first()
      .click();
    await page.getByRole("tab", { name: "Import" }).click();
    await page.getByLabel("Or paste JSON here").fill(JSON.stringify(fortyCalls()));
    await page.getByRole("button", { name: "Check", exact: true }).click();
    const lines = page.locator(".import-bot li");
    await lines.first().waitFor();
    const texts = await lines.allTextContents();
    expect(texts.length).toBeLessThanOrEqual(6);
    expect(texts[0]).toEndWith("(Telepathy · Group 0)");
    expect(texts.filter((text) => text.includes("40"))).toHaveLength(1);
    expect(await axeProblems(page)).toEqual([]);
    const pictures = process.env["PARLEY_PICTURES"];
    if (pictures) await page.screenshot({ path: `${pictures}/import-report.png`, fullPage: true });
  },
  { viewport: { width: 1200, height: 900 }, reducedMotion: "reduce" },
);
