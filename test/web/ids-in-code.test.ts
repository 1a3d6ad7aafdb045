import { afterAll, beforeAll, describe, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { isLong } from "../support/campaigns.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { computingFlow, figures, idShapes } from "../support/code-ids.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

describe("expressions with unusual ids on the page", () => {
  for (const [shape, ids] of isLong ? idShapes : idShapes.slice(0, 2)) {
    inBrowser(`twelve expressions return their results with these ids: ${shape}`, async ({ page }) => {
      const bot = await host.publish(computingFlow(ids, { isExecutedOnClient: true }));
      await openChat(page, bot.address);
      await answer(page, "go");
      await page.getByText("Inline").waitFor();

      expect(await page.getByRole("main").textContent()).toContain(figures);
    });
  }
});
