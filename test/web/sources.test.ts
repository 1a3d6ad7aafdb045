import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

// Tests the sources of an answer. No block sets sources yet, so the test adds them to the service's responses or to the
// database.

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const flow = {
  ...flowOf([
    says("Ask me"),
    asks("text input"),
    says("At nine [S1], until dusk [S2]. Not [S9].", "answer"),
    asks("text input", {}, { id: "more" }),
    says("Bye"),
    asks("text input", {}, { id: "last" }),
  ]),
  settings: { typingEmulation: { enabled: false } },
};

const usual = [
  { id: "S1", title: "Opening times", url: "https://garden.example/times" },
  { id: "S2", title: "Handbook", place: "page 4" },
];

/** Adds the sources to the service's next responses. */
const bring = (page: Page, sources: readonly unknown[]) =>
  page.route("**/continueChat", async (route) => {
    const response = await route.fetch();
    const step = await response.json();
    for (const message of step.messages) if (message.id === "answer") message.content.sources = sources;
    await route.fulfill({ response, json: step });
  });

/** Stores the sources with the answer, as an agent would. */
const store = (sessionId: string, sources: readonly unknown[]) =>
  host.api.deps.sql`
    update steps
    set response = jsonb_set(response::jsonb, '{messages,0,content,sources}', ${host.api.deps.sql.json(JSON.parse(JSON.stringify(sources)))})
    where session_id = ${sessionId} and revision = 2`;

/** Returns the rendered text with its references, and the list below it. */
const drawn = (page: Page) =>
  page.locator(".text-bubble", { hasText: "At nine" }).evaluate((bubble) => ({
    text: [...bubble.querySelectorAll(":scope > :not(.bubble-typing)")]
      .filter((part) => !part.matches(".rich-sources"))
      .map((part) => part.textContent)
      .join("\n"),
    references: [...bubble.querySelectorAll(".rich-source a")].map((link) => link.getAttribute("aria-label")),
    sources: [...bubble.querySelectorAll(".rich-sources li")].map((item) => [
      item.textContent?.trim(),
      item.querySelector("a")?.getAttribute("href") ?? null,
    ]),
  }));

const asDrawn = {
  text: "At nine 1, until dusk 2. Not [S9].",
  references: ["1: Opening times", "2: Handbook"],
  sources: [
    ["Opening times", "https://garden.example/times"],
    ["Handbook page 4", null],
  ],
};

inBrowser("each reference of an answer links to its source", async ({ page, problems }) => {
  const { address } = await host.publish(flow);
  const sessionId = await openChat(page, address);
  await bring(page, usual);
  await answer(page, "When?");
  await page.getByRole("list", { name: "Sources" }).waitFor();
  expect(await drawn(page)).toEqual(asDrawn);
  expect(await axeProblems(page)).toEqual([]);

  await page.getByRole("link", { name: "2: Handbook" }).focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Handbook page 4");
  const link = page.getByRole("link", { name: "Opening times", exact: true });
  expect([await link.getAttribute("target"), await link.getAttribute("rel")]).toEqual([
    "_blank",
    "noopener noreferrer nofollow",
  ]);

  await store(sessionId, usual);
  await page.reload();
  await page.getByRole("list", { name: "Sources" }).waitFor();
  expect(await drawn(page)).toEqual(asDrawn);
  expect(problems).toEqual([]);
});

inBrowser(
  "without scripts the server renders the same sources",
  async ({ page }) => {
    const { address } = await host.publish(flow);
    await page.goto(address);
    await page.getByRole("textbox").fill("When?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("At nine [S1]").waitFor();
    await store(await page.locator("[name=session]").first().inputValue(), usual);
    await page.getByRole("textbox").fill("Thanks");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Bye").waitFor();

    expect(await drawn(page)).toEqual(asDrawn);
    const line = page.locator(".rich-sources");
    expect(await line.evaluate((one) => getComputedStyle(one).borderTopWidth)).toBe("1px");
  },
  { javaScriptEnabled: false },
);

inLongRun(
  "at most twelve sources are shown, each once, and addresses that are not web addresses are no links",
  async ({ page, problems }) => {
    const { address } = await host.publish(flow);
    await openChat(page, address);
    const more = Array.from({ length: 20 }, (_, index) => ({ id: `S${index + 10}`, title: `Number ${index + 10}` }));
    await bring(page, [
      { id: "S1", title: "Script", url: "javascript:alert(1)" },
      { id: "S1", title: "Again", url: "https://garden.example/" },
      { id: "S2", title: "<b>Data</b>", url: "data:text/html,hello" },
      { id: "S3", title: "Mail", url: "mailto:a@garden.example" },
      { id: "S4", title: "Bare", url: "garden.example" },
      { id: "S8", title: "Accepted", url: "https://garden.example/" },
      { id: "x", title: "Without a number" },
      { id: "S5", title: "   " },
      { id: "S6" },
      "S7",
      null,
      ...more,
    ]);
    await answer(page, "When?");
    await page.getByRole("list", { name: "Sources" }).waitFor();

    const { sources } = await drawn(page);
    expect(sources).toEqual([
      ["Script", null],
      ["<b>Data</b>", null],
      ["Mail", null],
      ["Bare", null],
      ["Accepted", "https://garden.example/"],
      ...more.slice(0, 7).map(({ title }) => [title, null]),
    ]);
    expect(problems).toEqual([]);
  },
);

inLongRun("code keeps its brackets, and an answer without sources keeps all brackets", async ({ page }) => {
  const text = {
    id: "answer",
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: "At nine [S1] " }, { text: "[S1]", code: true }] }] },
  };
  const { address } = await host.publish({ ...flow, ...flowOf([says("Ask me"), asks("text input"), text]) });
  await openChat(page, address);
  await bring(page, usual);
  await answer(page, "When?");
  await page.getByRole("list", { name: "Sources" }).waitFor();
  expect((await drawn(page)).text).toBe("At nine 1 [S1]");

  await page.unroute("**/continueChat");
  await openChat(page, (await host.publish(flow)).address);
  await answer(page, "When?");
  await page.getByText("At nine [S1]").waitFor();
  expect(await page.locator(".rich-sources").count()).toBe(0);
});
