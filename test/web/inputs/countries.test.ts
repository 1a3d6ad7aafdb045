import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { openChat } from "../../support/live-page.ts";

/** A country, searched for in a phone number and as an answer of its own. */
let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const shots = process.env["PARLEY_SHOTS"];

const phoneFlow = (general: object = {}) => ({
  ...flowOf([says("Your number?"), asks("phone number input", { defaultCountryCode: "FR" }), says("Thanks")]),
  settings: { general, typingEmulation: { enabled: false } },
});
const countryFlow = (general: object = {}, options: object = {}) => ({
  ...flowOf([
    says("Where do you live?"),
    asks("text input", { variableId: idOf("Name"), isCountry: true, ...options }),
    says("So {{Name}}!"),
  ]),
  settings: { general, typingEmulation: { enabled: false } },
});

const country = (page: Page) => page.getByRole("combobox");
const marked = (page: Page) =>
  page.evaluate(() => {
    const id = document.querySelector("[role=combobox]")?.getAttribute("aria-activedescendant");
    return id ? (document.getElementById(id)?.textContent ?? "gone") : null;
  });

inBrowser("a country is found by keys alone, and its flag loads with the list", async ({ page, problems, outside }) => {
  const { address } = await host.publish(phoneFlow());
  const scripts: string[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() === "script") scripts.push(await response.text());
  });
  await openChat(page, address);
  const field = page.getByRole("combobox", { name: "Country" });
  await field.waitFor();
  expect(await field.inputValue()).toBe("France (+33)");
  expect(scripts.some((text) => text.includes("viewBox=\"0 0 513 342\""))).toBe(false);

  await field.focus();
  await page.keyboard.press("ArrowDown");
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  expect(await marked(page)).toBe("France (+33)");
  const flag = page.getByRole("option", { name: "France (+33)" }).locator("img");
  await flag.waitFor();
  expect(await flag.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth > 0))).toBe(true);
  expect(await axeProblems(page)).toEqual([]);
  if (shots) await page.screenshot({ path: `${shots}/country-list.png` });

  await page.keyboard.type("cote d");
  await page.getByText("1 to choose from").waitFor();
  expect(await marked(page)).toBe("Côte d’Ivoire (+225)");
  await page.keyboard.press("Escape");
  expect(await field.inputValue()).toBe("France (+33)");
  expect(await page.getByRole("listbox").count()).toBe(0);

  await field.fill("+49");
  expect(await marked(page)).toBe("Germany (+49)");
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("Germany (+49)");
  await page.getByRole("textbox", { name: "Your number?" }).fill("0151 23456789");
  await page.keyboard.press("Enter");
  await page.getByText("Thanks").waitFor();
  expect(await page.locator(".typebot-guest-bubble").innerText()).toContain("+4915123456789");
  expect({ problems, outside }).toEqual({ problems: [], outside: [] });
});
