import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { named } from "./flows.ts";

const folder = temporaryFolder();
let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

beforeAll(async () => {
  host = await openChatHost({ config: { DATA_DIR: folder.path } });
});
afterAll(async () => {
  await host.close();
  folder.remove();
});

/** A 1 × 1 picture. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const photo = (name: string) => ({ name, mimeType: "image/png", buffer: pixel });
const note = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("x".repeat(3_000)) });
const pictures = { isMultipleAllowed: true, allowedFileTypes: { isEnabled: true, types: ["image/*", ".pdf"] } };

async function open(page: Page, options: object): Promise<void> {
  const talk = Array.from({ length: 12 }, (_, index) => says(`Line ${index + 1} of what there is to read first.`));
  const { address } = await host.publish(flowOf([...talk, named("files", "file input", options), says("Noted")]));
  await page.goto(address);
  await page.locator("body.is-live").waitFor();
}

const answer = (page: Page) => page.locator(".typebot-guest-bubble:not(.is-under-way)");

/** Whether an element is completely visible in the window. */
function isInSight(page: Page, name: string): Promise<boolean> {
  return page.getByRole("button", { name }).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

inBrowser("the accepted files are listed before a file is chosen", async ({ page, problems }) => {
  await open(page, { ...pictures, sizeLimit: 2 });

  const field = page.locator("input[name=file]");
  const hint = await field.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${hint}"]`).textContent()).toBe("Pictures, PDF · Up to 2 MB");
  expect(await page.getByText("Take a photo").isVisible()).toBe(false);
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

inBrowser("every refused file is reported immediately, and accepted files stay", async ({ page }) => {
  await open(page, { ...pictures, sizeLimit: 0.001 });
  await page.locator("input[name=file]").setInputFiles([note("a.txt"), photo("b.png"), note("c.txt")]);

  await page.getByRole("button", { name: "Remove b.png" }).waitFor();
  expect(await page.getByRole("alert").locator("p").allTextContents()).toEqual([
    "a.txt is larger than 0.001MB",
    "c.txt is larger than 0.001MB",
  ]);
  expect(await page.locator("input[name=file]").getAttribute("aria-invalid")).toBe("true");
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Upload" }).click();
  await answer(page).waitFor();
});

inBrowser(
  "on a phone, photos of the camera are added to the chosen files",
  async ({ page, problems }) => {
    await open(page, pictures);
    const camera = page.locator("input[capture=environment]");
    await page.getByText("Take a photo").waitFor();
    await page.locator("input[name=file]").setInputFiles(["a", "b", "c", "d", "e"].map((name) => photo(`${name}.png`)));
    await page.getByRole("button", { name: "Remove e.png" }).waitFor();
    expect(await isInSight(page, "Upload")).toBe(true);
    await camera.setInputFiles([photo("now.png")]);
    await page.getByRole("button", { name: "Remove now.png" }).waitFor();

    expect(await isInSight(page, "Upload")).toBe(true);
    const buttons = await page.locator("form button").allTextContents();
    expect(buttons.at(-1)).toBe("Upload");
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Upload" }).click();
    await answer(page).waitFor();
    expect(await answer(page).locator("img").count()).toBe(6);
    expect(problems).toEqual([]);
  },
  phone,
);

inLongRun(
  "no button for the camera is shown if no photo is accepted, or if the file field itself opens a camera",
  async ({ page }) => {
    await open(page, { allowedFileTypes: { isEnabled: true, types: [".pdf"] } });
    await page.locator("input[name=file]").waitFor({ state: "attached" });
    expect(await page.getByText("Take a photo").count()).toBe(0);

    await open(page, { capture: "user" });
    await page.locator("input[name=file][capture=user]").waitFor({ state: "attached" });
    expect(await page.getByText("Take a photo").count()).toBe(0);
  },
  phone,
);

inLongRun("one file replaces another file if a single file is requested", async ({ page }) => {
  await open(page, {});
  await page.locator("input[name=file]").setInputFiles([photo("first.png")]);
  await page.getByText("Choose another").waitFor();
  await page.locator("input[name=file]").setInputFiles([photo("second.png")]);

  await page.getByRole("button", { name: "Remove second.png" }).waitFor();
  expect(await page.locator(".chosen-file").count()).toBe(1);
});
