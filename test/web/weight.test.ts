import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { bundleForBrowsers } from "../../src/web/server/bundle.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { readText } from "../support/tidy/project.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** The maximum size of everything that a chat with texts and buttons loads, from the first message to the last. */
const mostBytes = 31_000;

const textsAndButtons = flowOf([
  says("Shall we?"),
  { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
  says("Your name?"),
  asks("text input", { variableId: idOf("Name") }),
  says("Hello {{Name}}"),
]);

inBrowser("a chat with texts and buttons loads less than 31 kB", async ({ page }) => {
  const bot = await host.publish(textsAndButtons);
  const loaded = filesOf(page);
  await page.goto(bot.address);
  await page.locator("body.is-live").waitFor();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByText("Hello Ana").waitFor();

  // All transferred data: the page with its style, its texts and its data, and the script.
  expect(await loaded.bytes()).toBeLessThan(mostBytes);
  const style = await page.locator("style").allTextContents();
  const scripts = await sizeOf(loaded.scripts(), "gzip");
  expect(loaded.scripts().length).toBeGreaterThan(0);
  expect(style.join("").length).toBeGreaterThan(1_000);
  expect(scripts + Bun.gzipSync(style.join("")).byteLength).toBeLessThan(mostBytes);
});

test("the code for growing answers is a separate part below 5 kB", async () => {
  const files = await bundleForBrowsers();
  const drawing = files.filter(({ name, text }) => /^(page|part)-/.test(name) && text.includes("aria-busy"));

  expect(drawing.map(({ entry }) => entry)).toEqual([undefined]);
  expect(Bun.gzipSync(drawing[0]?.text ?? "").byteLength).toBeLessThan(5_000);
});

test("code for tables and Markdown is small, and formulas are a separate part", async () => {
  const parts = (await bundleForBrowsers()).filter(({ name }) => /^part-/.test(name));
  const size = (word: string) =>
    parts.filter(({ text }) => text.includes(word)).map(({ text }) => Bun.gzipSync(text).byteLength);

  const [drawing = 0, ...others] = size("rich-code");
  expect(others).toEqual([]);
  expect(drawing).toBeLessThan(5_000);
  const [reading = 0] = size("footnote_reference").filter((bytes) => bytes !== drawing);
  expect(reading).toBeLessThan(12_000);
  const [formulas = 0, ...more] = size("mathvariant");
  expect(more).toEqual([]);
  expect(formulas).toBeGreaterThan(40_000);
});

test("docs/contributing.md lists the sizes of separately loaded packages", async () => {
  const parts = (await bundleForBrowsers()).filter(({ name }) => /^part-/.test(name));
  const kilobytes = (mark: string) =>
    parts.filter(({ text }) => text.includes(mark)).map(({ text }) => Bun.gzipSync(text).byteLength / 1_000);
  const text = readText("docs/contributing.md");
  const named = (name: string) => Number(new RegExp(`^- \`${name}\`:.* in (\\d+) kB[,;]`, "m").exec(text)?.[1]);

  for (const { name, mark } of [
    { name: "temml", mark: "mathvariant" },
    { name: "country-flag-icons", mark: "fill-rule" },
    { name: "uqr", mark: "uqr" },
  ]) {
    const [weight = 0, ...others] = kilobytes(mark);
    expect({ name, others }).toEqual({ name, others: [] });
    expect(Math.abs(named(name) - weight)).toBeLessThanOrEqual(Math.max(0.6, weight * 0.05));
  }
});

/** Records the files that a page loads: the addresses of its scripts, and the total number of transferred bytes. */
function filesOf(page: Page) {
  const scripts: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (!["document", "script", "stylesheet"].includes(request.resourceType())) return;
    if (request.resourceType() === "script") scripts.push(request.url());
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return { scripts: () => scripts, bytes: async () => sum(await Promise.all(sizes)) };
}

/** Returns the total size of the responses in bytes, for a browser that accepts only this encoding. */
async function sizeOf(addresses: readonly string[], encoding: string): Promise<number> {
  const bodies = addresses.map(async (address) => {
    const response = await fetch(address, { headers: { "Accept-Encoding": encoding }, decompress: false });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    return (await response.arrayBuffer()).byteLength;
  });
  return sum(await Promise.all(bodies));
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
