import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";

/** The inputs that come with every page; `inputs/keyboard.test.ts` answers those that are loaded when they are met. */
let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const teas = (id: string, options: object) => ({
  id,
  type: "choice input",
  items: ["Green", "Black", "White"].map((content) => ({ id: `${id}${content}`, content })),
  options,
});

inBrowser("every input that comes with the page is answered by keyboard alone", async ({ page, problems }) => {
  const bot = await host.publish(
    flowOf([
      says("Name?"),
      asks("text input"),
      says("Story?"),
      asks("text input", { isLong: true }, { id: "long" }),
      says("Age?"),
      asks("number input"),
      says("Mail?"),
      asks("email input"),
      says("Page?"),
      asks("url input"),
      says("Which?"),
      teas("one", {}),
      says("Search?"),
      teas("search", { isSearchable: true }),
      says("Several?"),
      teas("several", { isMultipleChoice: true }),
      says("Thank you"),
    ]),
  );
  const asked = (question: string) => page.getByRole("log").getByText(question).waitFor();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const isFocused = (selector: string) =>
    page.waitForFunction((wanted) => document.activeElement?.matches(`form ${wanted}`), selector);
  await page.goto(bot.address);
  await page.waitForSelector("body.is-live");

  await isFocused(".text-input");
  await page.keyboard.type("Ana");
  await press("Enter");
  await asked("Story?");
  await isFocused("textarea");
  await page.keyboard.type("One");
  await press("Enter");
  await page.keyboard.type("Two");
  await press("Control+Enter");
  await asked("Age?");
  await isFocused("[inputmode=decimal]");
  await page.keyboard.type("1,5");
  await press("Tab", "Enter");
  await asked("Mail?");
  await isFocused("[type=email]");
  await page.keyboard.type("ana@example.com");
  await press("Enter");
  await asked("Page?");
  await isFocused("[name=text]");
  await page.keyboard.type("example.org");
  await press("Enter");
  await asked("Which?");
  await isFocused("[name=choice]");
  await press("Tab", "Space");
  await asked("Search?");
  await isFocused("[type=search]");
  await page.keyboard.type("whi");
  await press("Enter");
  await asked("Several?");
  await isFocused("[type=checkbox]");
  await press("Space", "Tab", "Tab", "Space", "Enter");
  await asked("Thank you");

  expect(await host.answersOf(bot)).toEqual([
    ["Ana", "One\nTwo", "1.5", "ana@example.com", "https://example.org", "Black", "White", "Green, White"],
  ]);
  expect(problems).toEqual([]);
});
