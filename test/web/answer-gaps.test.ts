import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish } from "../support/chat.ts";
import { openChat } from "../support/live-page.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";

let chats: ModelChats;
let server: ReturnType<typeof Bun.serve>;
const inBrowser = browserTests();

beforeAll(async () => {
  chats = await createModelChats({ RATE_LIMITS: "off" });
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: chats.api.handle });
});
afterAll(async () => {
  await server.stop(true);
  await chats.close();
});

/** Returns the blocks of the last text, each with its distance to the previous block in pixels. */
const gaps = (page: Page, last: string) =>
  page.locator(".text-bubble", { hasText: last }).evaluate((bubble) => {
    const blocks = [...bubble.children].filter((part) => !part.matches(".rich-blank, .bubble-typing"));
    return blocks.slice(1).map((block, index) => {
      const above = blocks[index]?.getBoundingClientRect().bottom ?? 0;
      const gap = Math.round(block.getBoundingClientRect().top - above);
      return `${block.textContent?.trim().slice(0, 9)} ${gap}`;
    });
  });

inBrowser("the blocks of a model's answer are separated by one blank line", async ({ page }) => {
  const { token, workspaceId, api } = chats;
  const [, model = {}] = chats.answers({});
  const lines = ["One", "", "Two", "", "The end"];
  const author = {
    id: "author",
    type: "text",
    content: { richText: lines.map((text) => ({ type: "p", children: [{ text }] })) },
  };
  const shows = {
    id: "shown",
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: "{{Email}}" }] }] },
  };
  const flow = flowOf([author, asks("text input", { variableId: idOf("Name"), isLong: true }), model, shows]);
  const settings = { typingEmulation: { enabled: false } };
  const bot = await publish(api.client, { token, workspaceId }, { ...flow, settings });
  await openChat(page, `${server.url.origin}/${bot.publicId}`);
  const authors = await gaps(page, "The end");
  await page
    .getByRole("textbox")
    .fill("me\n\nTwo\n\n- a list\n- more\n\n> quoted\n\n# Heading\n\nThree\n\n- end of it");
  await page.keyboard.press("Control+Enter");
  // The bubble of a growing answer is removed when the complete answer is shown.
  await page.locator(".text-bubble:not(.is-growing)", { hasText: "end of it" }).waitFor();

  const line = authors[0]?.split(" ")[1] ?? "";
  expect(authors).toEqual([`Two ${line}`, `The end ${line}`]);
  const [two, list, quote, heading, three, end] = await gaps(page, "end of it");
  expect([two, list, quote, heading, end]).toEqual(
    ["Two", "a listmor", "quoted", "Heading", "end of it"].map((text) => `${text} ${line}`),
  );
  expect(three).toBe("Three 4");
  expect(Number(line)).toBeGreaterThan(20);
});
