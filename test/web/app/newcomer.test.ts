import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { saved } from "../../support/flow-page.ts";
import { cleanupStack, endService, type Service, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const inBrowser = browserTests();
const cleanups = cleanupStack();
let service: Service;

// Starts the service in an empty folder, as a user does.
beforeAll(async () => {
  service = await startService({ cwd: cleanups.folder(), environment: { WORKER_THREADS: "1" } });
  cleanups.add(() => endService(service));
});
afterAll(cleanups.run);

/** Finds a line of a card on the canvas by the name that screen readers announce. */
const row = (page: Page, name: RegExp) => page.getByRole("group", { name });
async function write(page: Page, field: string, text: string): Promise<void> {
  const box = page.getByRole("textbox", { name: field, exact: true });
  await box.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

inBrowser(
  "a newcomer signs in, publishes a bot and reads its result",
  async ({ page, context, problems, outside }) => {
    const link = await waitFor(() => /^Open (http:\S+) to sign in/m.exec(service.stdout())?.[1], { what: "the link" });

    await page.goto(link);
    await page.getByRole("button", { name: "Sign in with this link" }).click();
    await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
    expect(page.url()).not.toContain("#");
    expect(await axeProblems(page)).toEqual([]);
    // Each question has the focus in its first field, so it can be answered immediately.
    await page.getByLabel("Your name").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Grace");
    await page.keyboard.press("Enter");
    await page.getByLabel("Workspace name").and(page.locator(":focus")).fill("Harbour school");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Use this template: Lead capture" }).click();

    await row(page, /^Text, What shall we call you/).click();
    await write(page, "Text", "What is your name?");
    await row(page, /^Text, What is your name\?/).waitFor();
    await row(page, /saved to Name/).click();
    await write(page, "Placeholder", "First name");
    await saved(page);

    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const tried = page.frameLocator("iframe");
    await tried.getByText("What is your name?").waitFor();
    await tried.getByPlaceholder("First name").fill("Ada");
    await tried.getByPlaceholder("First name").press("Enter");
    await tried.getByText("Good to meet you, Ada.").waitFor();

    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByText("Version 1 is live").first().waitFor();
    const live = page.getByRole("dialog", { name: "The bot is live" });
    const address = await live.getByRole("textbox", { name: "Address" }).inputValue();
    expect(await live.getByRole("link", { name: "Open" }).getAttribute("href")).toBe(address);
    await page.keyboard.press("Escape");

    const visitors = await context.browser()?.newContext({ reducedMotion: "reduce" });
    if (!visitors) throw new Error("There is no browser");
    cleanups.add(() => visitors.close());
    const chat = await visitors.newPage();
    await chat.goto(address);
    // A form that is posted while the script loads starts a separate chat.
    await chat.locator("body.is-live").waitFor();
    await chat.getByPlaceholder("First name").fill("Lin");
    await chat.keyboard.press("Enter");
    await chat.getByRole("button", { name: "Just looking" }).click();
    await chat.getByRole("button", { name: "No, thanks" }).click();
    await chat.getByText("this chat is the quickest way to us").waitFor();

    await page.getByRole("link", { name: "Results" }).click();
    const results = page.getByRole("table").getByRole("row");
    await results.filter({ hasText: "Lin" }).getByRole("link").click();
    await page.getByRole("dialog").getByText("As text").click();
    const said = page.getByRole("dialog").getByRole("listitem");
    await said.filter({ hasText: "Should a question come up" }).waitFor();
    expect(await results.count()).toBe(2);
    expect(await said.allTextContents()).toEqual([
      expect.stringContaining("Hi, and welcome!"),
      "Bot: What is your name?",
      "Visitor: Lin",
      "Bot: Good to meet you, Lin. What brings you here?",
      "Visitor: Just looking",
      expect.stringContaining("Look around as long as you like"),
      "Visitor: No, thanks",
      "Bot: That’s fine, Lin.",
      expect.stringContaining("Should a question come up"),
    ]);
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in with this link" }).click();
    await page.getByText("This link has expired or has already been used").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    // Before a sign-in, the page requests the current user, which fails with 401.
    expect(problems.filter((problem) => !problem.includes("status of 401"))).toEqual([]);
    expect(outside).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } },
);
