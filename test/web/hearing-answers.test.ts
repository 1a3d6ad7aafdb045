import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type ScriptedSteps, scriptSteps } from "../support/scripted-steps.ts";

// Tests how blind visitors follow a growing answer. The test sends the pieces of the answer, and the service sends the
// step itself.

let host: ChatHost;
let told: ScriptedSteps;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  told = scriptSteps(host.api);
});
afterAll(async () => {
  await told.close();
  await host.close();
});

const paragraphs = (count: number) =>
  Array.from({ length: count }, () => "There is much to say. ".repeat(8)).join("\n\n");

/**
 * The visitor presses one of two buttons. The bot's next message is an author's text, which grows like a model's
 * answer.
 */
async function ask(page: Page, text: string): Promise<void> {
  const answer = text.split("\n\n").map((part) => ({ type: "p", children: [{ text: part }] }));
  const { publicId } = await host.publish(
    flowOf([
      says("Shall I tell?"),
      {
        id: "choose",
        type: "choice input",
        items: ["Yes", "No"].map((content) => ({ id: content, content })),
      },
      { id: "words", type: "text", content: { richText: answer } },
      says("Anything else?"),
      asks("text input", { variableId: idOf("Name") }),
    ]),
  );
  await page.goto(`${told.origin}/${publicId}`);
  await page.locator("body.is-live form").waitFor();
  await page.getByRole("button", { name: "Yes" }).press("Enter");
  const step = await told.next();
  step.send("delta", { blockId: "words", text: text.slice(0, 20) }, "1.20");
  await page.getByRole("button", { name: "Stop" }).waitFor();
}

const status = (page: Page) => page.locator("p[role=status].visually-hidden");
const last = (page: Page) => page.locator(".typebot-host-bubble.text-bubble").nth(1);
const isStopFocused = (page: Page) => page.evaluate(() => document.activeElement?.classList.contains("stop-button"));

async function finish(page: Page, text: string): Promise<void> {
  const step = told.steps.at(-1);
  step?.send("delta", { blockId: "words", text: text.slice(20) }, `1.${text.length}`);
  await step?.finish();
  await page.getByText("Anything else?").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("form .text-input"));
}

inBrowser("the focus is on Stop while an answer grows", async ({ page }) => {
  const text = paragraphs(9);
  await ask(page, text);
  expect(await isStopFocused(page)).toBe(true);
  await status(page).getByText("Writing…").waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await finish(page, text);

  expect(await status(page).textContent()).toBe("Answer received. Paragraphs: 9");
  expect(await last(page).getAttribute("aria-live")).toBe("off");
  expect(await page.locator(".typebot-host-bubble.text-bubble").nth(2).getAttribute("aria-live")).toBeNull();
  // Hidden elements must not make the page scroll.
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

inBrowser("a short answer stays in the live region, and its length is not announced", async ({ page }) => {
  const text = paragraphs(2);
  await ask(page, text);
  await status(page).getByText("Writing…").waitFor();
  await finish(page, text);

  expect(await status(page).textContent()).toBe("");
  expect(await last(page).getAttribute("aria-live")).toBeNull();
});

inBrowser("the focus stays where the visitor has put it while an answer grows", async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener("submit", () => {
      const own = document.body.appendChild(document.createElement("input"));
      own.id = "own";
      own.focus();
    });
  });
  await ask(page, paragraphs(2));

  expect(await page.evaluate(() => document.activeElement?.id)).toBe("own");
});
