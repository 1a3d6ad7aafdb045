import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { openChat } from "../../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

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
    { ...asks("text input"), id: "more" },
  ]),
  settings: { general, typingEmulation: { enabled: false } },
});

const country = (page: Page) => page.getByRole("combobox");
const marked = (page: Page) =>
  page.evaluate(() => {
    const id = document.querySelector("[role=combobox]")?.getAttribute("aria-activedescendant");
    return id ? (document.getElementById(id)?.textContent ?? "gone") : null;
  });

inBrowser(
  "a country can be found by keyboard only, and its flag loads with the list",
  async ({ page, problems, outside }) => {
    const { address } = await host.publish(phoneFlow());
    const scripts: string[] = [];
    page.on("response", async (response) => {
      if (response.request().resourceType() === "script") scripts.push(await response.text());
    });
    await openChat(page, address);
    const field = page.getByRole("combobox", { name: "Country" });
    await field.waitFor();
    expect(await field.inputValue()).toBe("France (+33)");
    expect(scripts.some((text) => text.includes('viewBox="0 0 513 342"'))).toBe(false);

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

    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const next = await marked(page);
    expect(next).toStartWith("French");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe(next ?? "");
    expect(await page.getByRole("listbox").count()).toBe(0);

    await field.fill("+49");
    expect(await marked(page)).toBe("Germany (+49)");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("Germany (+49)");
    await page.getByRole("textbox", { name: "Your number?" }).fill("0151 23456789");
    await page.keyboard.press("Enter");
    await page.getByText("Thanks").waitFor();
    expect(await page.locator(".typebot-guest-bubble").textContent()).toContain("+4915123456789");
    expect({ problems, outside }).toEqual({ problems: [], outside: [] });
  },
);

inBrowser(
  "a country can be chosen by touch, and text without a match is reset",
  async ({ page, problems }) => {
    const { address } = await host.publish(phoneFlow());
    await openChat(page, address);
    const field = country(page);
    await field.tap();
    await page.getByRole("listbox").waitFor();
    await field.fill("brasil");
    await page.getByText("Nothing matches.").first().waitFor();
    await page.locator("[type=tel]").tap();
    expect(await field.inputValue()).toBe("France (+33)");

    await field.tap();
    await field.fill("braz");
    await page.getByRole("option", { name: "Brazil (+55)" }).tap();
    expect(await field.inputValue()).toBe("Brazil (+55)");
    // A press leaves the focus in the search field.
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator(".country-line img").count()).toBe(1);
    await field.fill("");
    await page.locator("[type=tel]").tap();
    expect(await field.inputValue()).toBe("");
    await page.locator("[type=tel]").fill("0612345678");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByText("Please choose the country, or begin with + and its code.").waitFor();
    expect(problems).toEqual([]);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true },
);

inBrowser("a country is found by its name in the page's language", async ({ page }) => {
  const { address } = await host.publish(phoneFlow({ language: "de" }));
  await openChat(page, address);
  const field = country(page);
  expect(await field.inputValue()).toBe("Frankreich (+33)");
  const found: Record<string, string | null> = {};
  for (const text of ["oster", "AUSTRIA", "us", "uk", "00358", "saint-den", "reunion"]) {
    await field.fill(text);
    found[text] = await marked(page);
  }
  expect(found).toEqual({
    oster: "Österreich (+43)",
    AUSTRIA: "Österreich (+43)",
    us: "Vereinigte Staaten (+1)",
    uk: "Vereinigtes Königreich (+44)",
    "00358": "Ålandinseln (+358)",
    "saint-den": null,
    reunion: "Réunion (+262)",
  });
});

inLongRun(
  "arrow keys move through the list circularly, page keys move by eight, and Tab selects the marked country",
  async ({ page }) => {
    const { address } = await host.publish(countryFlow());
    await openChat(page, address);
    const field = country(page);
    await field.focus();
    await page.keyboard.press("ArrowUp");
    expect(await marked(page)).toBe(null);
    await page.keyboard.press("ArrowUp");
    expect(await marked(page)).toBe("Zimbabwe");
    await page.keyboard.press("ArrowDown");
    expect(await marked(page)).toBe("Afghanistan");
    await page.keyboard.press("PageDown");
    const eighth = await page.getByRole("option").nth(8).textContent();
    expect(await marked(page)).toBe(eighth);
    const isInSight = await page.evaluate(() => {
      const [list, row] = [".country-list", ".is-marked"].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      return !!list && !!row && row.top >= list.top && row.bottom <= list.bottom;
    });
    expect(isInSight).toBe(true);
    await page.keyboard.press("PageUp");
    await page.keyboard.press("PageUp");
    expect(await marked(page)).toBe("Afghanistan");
    await page.keyboard.type("port");
    await page.keyboard.press("Tab");
    expect(await field.inputValue()).toBe("Portugal");
    expect(await page.getByRole("listbox").count()).toBe(0);
  },
);

inBrowser("a country answer is stored as the country's name", async ({ page, problems }) => {
  const bot = await host.publish(countryFlow({ language: "fr" }, { retryMessageContent: "Quel pays ?" }));
  await openChat(page, bot.address);
  const field = page.getByRole("combobox", { name: "Where do you live?" });
  await field.waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await field.fill("Atlantide");
  await page.keyboard.press("Enter");
  await page.getByText("Quel pays ?").waitFor();
  expect(await field.inputValue()).toBe("Atlantide");
  expect(await field.getAttribute("aria-invalid")).toBe("true");

  await field.fill("germa");
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("Allemagne");
  await page.keyboard.press("Enter");
  await page.getByText("So Allemagne!").waitFor();
  expect(await page.locator(".typebot-guest-bubble").textContent()).toContain("Allemagne");
  await page.reload();
  await page.getByText("So Allemagne!").waitFor();
  expect(await page.locator(".typebot-guest-bubble").textContent()).toContain("Allemagne");
  expect(JSON.stringify(await host.answersOf(bot))).toContain("Allemagne");
  expect(problems).toEqual([]);
});

inLongRun(
  "a text that the page does not recognise is sent to the service, which recognises further names",
  async ({ page }) => {
    const { address } = await host.publish(countryFlow());
    await openChat(page, address);
    await country(page).fill("Holland");
    await page.keyboard.press("Enter");
    await page.getByText("So Netherlands!").waitFor();
  },
);

inLongRun("a text typed for the previous question is not entered as a country", async ({ page }) => {
  const { address } = await host.publish({
    ...flowOf([
      says("Your name?"),
      asks("text input"),
      { ...asks("text input", { isCountry: true, variableId: idOf("Name") }), id: "home" },
      says("So {{Name}}!"),
    ]),
    settings: { typingEmulation: { enabled: false } },
  });
  await openChat(page, address);
  await page.locator("[name=text]").fill("Ana");
  await page.keyboard.press("Enter");
  await country(page).waitFor();
  expect(await country(page).inputValue()).toBe("");
  await country(page).fill("peru");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("So Peru!").waitFor();
});

inLongRun(
  "without scripts a country is selected from the browser's own list",
  async ({ page }) => {
    const { address } = await host.publish(countryFlow({ language: "es" }));
    await page.goto(address);
    await page.getByRole("combobox").selectOption({ label: "Alemania" });
    await page.getByRole("button", { name: "Enviar" }).click();
    await page.getByText("So Alemania!").waitFor();
    expect(await page.locator(".typebot-guest-bubble").textContent()).toContain("Alemania");
  },
  { javaScriptEnabled: false },
);

for (const [name, options] of [
  ["in Arabic on a narrow page with large text", { viewport: { width: 320, height: 640 } }],
  ["in forced colours", { viewport: { width: 390, height: 844 }, forcedColors: "active" }],
  ["on a dark screen", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
] as const) {
  const inThisRun = name.includes("large") ? inBrowser : inLongRun;
  inThisRun(
    `the list of countries is completely visible ${name}`,
    async ({ page, problems }) => {
      const language = name.includes("Arabic") ? "ar" : "en";
      const { address } = await host.publish(phoneFlow({ language }));
      await openChat(page, address);
      if (name.includes("large"))
        await page.evaluate(() => {
          document.documentElement.style.fontSize = "200%";
        });
      await country(page).click();
      await country(page).fill(language === "ar" ? "ألم" : "unit");
      await page.getByRole("option").first().locator("img").waitFor();
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
      if (shots) await page.screenshot({ path: `${shots}/country-${name.replaceAll(" ", "-")}.png` });
      const seen = await page.evaluate(() => {
        const list = document.querySelector(".country-list");
        const row = document.querySelector(".is-marked");
        const field = document.querySelector("[role=combobox]");
        const boxes = [list, row, field].map((one) => one?.getBoundingClientRect());
        return {
          isInWindow: boxes.every(
            (box) => !!box && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth,
          ),
          isCut: [document.documentElement, list, row].some((one) => !one || one.scrollWidth > one.clientWidth + 1),
        };
      });
      expect(seen).toEqual({ isInWindow: true, isCut: false });
      expect(await marked(page)).toStartWith(language === "ar" ? "ألمانيا" : "United Arab Emirates");
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Enter");
      expect(await country(page).inputValue()).toContain(language === "ar" ? "ألمانيا" : "United Arab Emirates");
      expect(problems).toEqual([]);
    },
    options,
  );
}
