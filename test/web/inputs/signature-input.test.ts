import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { temporaryFolder } from "../../support/folder.ts";

const folder = temporaryFolder();
let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
beforeAll(async () => {
  host = await openChatHost({ config: { DATA_DIR: folder.path } });
});
afterAll(async () => {
  await host.close();
  folder.remove();
});

const shots = process.env["PARLEY_SHOTS"];

function publish(options: object = {}) {
  return host.publish({
    ...flowOf([
      says("Please sign the contract."),
      { id: idOf("sign"), type: "signature input", options: { variableId: idOf("Name"), ...options } },
      says("{{Name}}"),
    ]),
    settings: { typingEmulation: { enabled: false } },
  });
}

async function open(page: Page, options?: object): Promise<void> {
  const { address } = await publish(options);
  await page.goto(address);
  await page.locator(".signature-pad").waitFor();
}

/** Returns the number of drawn pixels on the signature pad. */
function inked(page: Page): Promise<number> {
  return page.locator(".signature-pad").evaluate((pad: HTMLCanvasElement) => {
    const { data = [] } = pad.getContext("2d")?.getImageData(0, 0, pad.width, pad.height) ?? {};
    return data.filter((value, index) => index % 4 === 3 && value > 0).length;
  });
}

async function draw(page: Page, ...[from, ...way]: readonly (readonly [number, number])[]): Promise<void> {
  const box = await page.locator(".signature-pad").boundingBox();
  const at = ([x, y]: readonly [number, number]) =>
    [(box?.x ?? 0) + x * (box?.width ?? 0), (box?.y ?? 0) + y * (box?.height ?? 0)] as const;
  await page.mouse.move(...at(from ?? [0, 0]));
  await page.mouse.down();
  for (const point of way) await page.mouse.move(...at(point), { steps: 4 });
  await page.mouse.up();
}

const answer = (page: Page) => page.locator(".typebot-guest-bubble:not(.is-under-way)");

for (const [name, width, inThisRun] of [
  ["wide", 1440, longBrowserTests()],
  ["narrow", 320, inBrowser],
] as const) {
  inThisRun(
    `on a ${name} page a signature is drawn, undone, drawn again and shown`,
    async ({ page, problems }) => {
      await open(page);
      await draw(page, [0.1, 0.6], [0.2, 0.2], [0.3, 0.7], [0.45, 0.3], [0.6, 0.6]);
      const one = await inked(page);
      await draw(page, [0.6, 0.7], [0.9, 0.65]);
      expect(await inked(page)).toBeGreaterThan(one);
      if (shots) await page.screenshot({ path: `${shots}/sign-${name}.png` });
      expect(await axeProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Undo" }).click();
      expect(await inked(page)).toBe(one);
      await page.getByRole("button", { name: "Clear" }).click();
      expect(await inked(page)).toBe(0);

      await page.getByRole("button", { name: "Sign", exact: true }).click();
      await page.getByText("Please sign first.").waitFor();
      await draw(page, [0.1, 0.6], [0.3, 0.2], [0.6, 0.7]);
      await page.getByRole("button", { name: "Sign", exact: true }).click();
      const shown = answer(page).locator("img[alt='signature.png']");
      await shown.waitFor();
      expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
      await page.getByText(/\/results\/\w+\/files\/\w+\.png/).waitFor();
      if (shots) await page.screenshot({ path: `${shots}/signed-${name}.png` });
      expect(await axeProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
    { viewport: { width, height: 844 }, reducedMotion: "reduce" },
  );
}

inBrowser(
  "a name that is typed by keyboard can replace a drawn signature",
  async ({ page, problems }) => {
    await open(page);
    const field = page.getByPlaceholder("Or type your name");
    await draw(page, [0.1, 0.6], [0.3, 0.2]);
    await field.focus();
    await page.keyboard.type("Ana Martínez");
    await page.getByRole("img", { name: "Signature: Ana Martínez" }).waitFor();
    expect(await inked(page)).toBeGreaterThan(500);
    if (shots) await page.screenshot({ path: `${shots}/sign-typed.png` });
    expect(await axeProblems(page)).toEqual([]);
    // The next drawing starts on an empty sheet.
    await draw(page, [0.1, 0.6], [0.3, 0.2]);
    expect(await field.inputValue()).toBe("");
    await field.focus();
    await page.keyboard.type("Ana");
    await page.keyboard.press("Enter");
    await answer(page).locator("img").waitFor();
    expect(problems).toEqual([]);
  },
  { viewport: { width: 768, height: 844 }, colorScheme: "dark" },
);

inLongRun("an optional signature can be skipped", async ({ page }) => {
  await open(page, { isRequired: false });
  await page.getByRole("button", { name: "Skip" }).click();
  await page.locator("[data-input-type]").waitFor({ state: "detached" });
});

inBrowser(
  "without scripts a picture of a signature is uploaded",
  async ({ page }) => {
    const { address } = await publish();
    await page.goto(address);
    const file = { name: "mine.png", mimeType: "image/png", buffer: Buffer.from("not looked into") };
    await page.getByLabel("A picture of your signature (PNG or JPEG)").setInputFiles(file);
    if (shots) await page.screenshot({ path: `${shots}/sign-plain.png` });
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText(/\/results\/\w+\/files\/\w+\.png/).waitFor();
  },
  { javaScriptEnabled: false },
);
