import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { publish } from "../../support/chat.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { askingFlow, inputs, named } from "./flows.ts";

const folder = temporaryFolder();
let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: Bun.Server<undefined>;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { DATA_DIR: folder.path } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
  folder.remove();
});

async function open(page: Page, ...blocks: readonly object[]): Promise<void> {
  const settings = { typingEmulation: { enabled: false }, general: { isInputPrefillEnabled: true } };
  const flow = { ...askingFlow(...blocks), settings };
  const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  await page.goto(`${server.url.origin}/${publicId}`);
  await page.waitForSelector("body.is-live");
}

const answers = (page: Page) => page.locator(".typebot-guest-bubble:not(.is-under-way)");
const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all") };

inBrowser("files are checked before the upload and can be removed", async ({ page }) => {
  await open(page, inputs.file);
  const asked: string[] = [];
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v3/generate-upload-url", async (route) => {
    asked.push(route.request().url());
    if (asked.length === 1) await isReleased;
    await route.continue().catch(() => {});
  });
  const field = page.locator("input[type=file]");

  await field.setInputFiles([{ ...letter, name: "a.pdf", mimeType: "application/pdf" }]);
  await page.getByText("a.pdf was not accepted: its type is not allowed here.").waitFor();
  await field.setInputFiles([letter, { ...letter, name: "second.txt" }]);
  await page.getByRole("button", { name: "Remove letter.txt" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("progressbar", { name: "Uploading second.txt…" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  release();
  await page.getByRole("button", { name: "Remove second.txt" }).waitFor();
  await page.getByRole("button", { name: "Upload" }).click();
  await answers(page).waitFor();

  expect(await answers(page).textContent()).toBe("second.txt");
  expect(asked).toHaveLength(2);
});

inBrowser("a file refused by the service stays in the field, next to the reason", async ({ page }) => {
  await open(page, named("any", "file input"));
  const large = Buffer.alloc(11 * 1024 * 1024, "x");

  await page.locator("input[type=file]").setInputFiles([{ ...letter, buffer: large }]);
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("is larger than 10MB").waitFor();

  expect(await page.locator(".chosen-file").textContent()).toContain("letter.txt");
  expect(await page.locator("input[type=file]").getAttribute("aria-invalid")).toBe("true");
});

inBrowser("countries keep their codes on a page in another language", async ({ page }) => {
  const flow = { ...askingFlow(inputs.phone), settings: { general: { language: "ar" } } };
  const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  await page.goto(`${server.url.origin}/${publicId}`);
  await page.waitForSelector("body.is-live");
  await page.locator("[data-focus]:focus").waitFor();

  const names = new Intl.DisplayNames("ar", { type: "region" });
  const field = page.getByRole("combobox");
  expect(await field.inputValue()).toBe(`${names.of("FR")} (+33)`);
  await field.fill("de");
  expect(await page.getByRole("option").first().textContent()).toBe(`${names.of("DE")} (+49)`);
});

inBrowser("inputs that require a script work even as the first input", async ({ page }) => {
  const options = { isSearchable: true, areInitialSearchButtonsVisible: false };
  await open(page, named("choice", "choice input", options, { items: [{ id: "tea", content: "Tea" }] }));

  await page.getByRole("searchbox").waitFor();
  expect(await page.getByRole("button", { name: "Tea" }).count()).toBe(0);
  await page.getByRole("searchbox").fill("te");
  await page.getByRole("button", { name: "Tea" }).waitFor();

  await open(page, named("long", "text input", { isLong: true }));
  await page.getByText("Press Ctrl and Enter to send.").waitFor();
});

inLongRun("an incomplete range shows a message at the missing date, and keeps the existing date", async ({ page }) => {
  await open(page, inputs.range);
  await page.getByRole("textbox", { name: "Arrival" }).fill("2026-05-31");

  await page.keyboard.press("Enter");
  await page.getByText("Please choose both dates.").waitFor();

  expect(await page.getByRole("textbox", { name: "Arrival" }).inputValue()).toBe("05/31/2026");
  expect(await page.getByRole("textbox", { name: "Departure" }).getAttribute("aria-describedby")).toBe(
    "range-hint range-error",
  );
  await page.getByRole("textbox", { name: "Departure" }).fill("2026-06-02");
  await page.keyboard.press("Enter");
  expect((await answers(page).textContent())?.replaceAll("\u2009", " ")).toBe("May 31 – June 2, 2026");
});

inBrowser(
  "cards are a list whose scroll buttons are disabled at its ends",
  async ({ page }) => {
    await open(page, inputs.cards);
    const next = page.getByRole("button", { name: "Next" });
    const previous = page.getByRole("button", { name: "Previous" });

    expect(await previous.getAttribute("aria-disabled")).toBe("true");
    await next.click();
    await page.locator("[aria-label=Previous][aria-disabled=false]").waitFor();
    await next.click();
    await next.click();
    await page.locator("[aria-label=Next][aria-disabled=true]").waitFor();
    await page.getByRole("button", { name: "Buy" }).last().click();

    expect(await answers(page).textContent()).toBe("Mint tea");
  },
  { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" },
);

inLongRun(
  "in a right-to-left language no input is wider than a narrow page, and every target is large enough",
  async ({ page }) => {
    for (const block of Object.values(inputs)) {
      const settings = { general: { language: "ar" } };
      const flow = { ...askingFlow(block), settings };
      const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
      await page.goto(`${server.url.origin}/${publicId}`);
      await page.waitForSelector("body.is-live");

      const found = await page.evaluate(() => {
        const small = [...document.querySelectorAll("form :is(button, select, label:has(input), .text-input)")]
          .map((element) => element.getBoundingClientRect())
          .filter(({ width, height }) => width > 0 && (height < 43.9 || width < 43.9));
        return { small: small.length, isWide: document.documentElement.scrollWidth > innerWidth, dir: document.dir };
      });
      expect({ block: block.id, ...found }).toEqual({ block: block.id, small: 0, isWide: false, dir: "rtl" });
    }
  },
  { viewport: { width: 320, height: 640 } },
);

for (const { name, width, isBeside } of [
  { name: "below each other on a phone", width: 390, isBeside: false },
  { name: "side by side on a wide page", width: 1000, isBeside: true },
]) {
  inBrowser(
    `the two dates of a range are ${name}, and the send button is next to the second date`,
    async ({ page }) => {
      await open(page, inputs.range);
      const boxes = await Promise.all(
        [".date-line:first-child", ".date-line:nth-child(2)", ".date-range .send-button"].map((part) =>
          page.locator(part).boundingBox(),
        ),
      );
      const [first, second, send] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 });
      expect((first?.y ?? 0) === (second?.y ?? 1)).toBe(isBeside);
      expect(send?.y).toBeGreaterThan(second?.y ?? 0);
      expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThan((second?.y ?? 0) + (second?.height ?? 0) + 10);
      expect(send?.x).toBeGreaterThanOrEqual((second?.x ?? 0) + (second?.width ?? 0));
    },
    { viewport: { width, height: 700 } },
  );
}
