import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { replyOf } from "../../src/commands/chat/words.ts";
import { matchMany, matchOne } from "../../src/core/blocks/inputs/matching/choice-matching.ts";
import { chosenText, wordsOfIds } from "../../src/web/conversation/choices/chosen-text.ts";
import { alikeAnswers, alikeChoices, chosenOf, flowOfAlike } from "../support/alike-choices.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { visitor } from "../support/web-page.ts";

let host: ChatHost;
let site: OtherSite;
let bot: Awaited<ReturnType<ChatHost["publish"]>>;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
  bot = await host.publish(flowOfAlike());
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const choosable = ({
  title,
  pictureSrc,
  content = title ?? pictureSrc,
  ...item
}: (typeof alikeChoices)[number]["items"][number]) => ({
  ...item,
  content,
});

test("the examples contain twenty sets of items that are easily confused", () => {
  expect(alikeChoices.length).toBe(20);
});

test.each(alikeChoices.filter(({ isMultiple }) => !isMultiple).map((set) => [set.name, set] as const))(
  "each item is matched exactly among easily confused items: %s",
  (_, { items }) => {
    const meant = items.map(({ id }) => {
      const text = chosenText(items, [id], false) ?? "";
      return matchOne(items.map(choosable), { text, replyId: id })?.id;
    });
    expect(meant).toEqual(items.map(({ id }) => id));
  },
);

test.each(alikeChoices.filter(({ isMultiple }) => isMultiple).map((set) => [set.name, set] as const))(
  "each combination of easily confused items is matched exactly: %s",
  (_, { items }) => {
    for (let bits = 1; bits < 2 ** items.length; bits++) {
      const ids = items.flatMap(({ id }, index) => (bits & (1 << index) ? [id] : []));
      const text = chosenText(items, ids, true) ?? "";
      expect(matchMany(items.map(choosable), text).map(({ id }) => id)).toEqual(ids);
    }
  },
);

test("ids with a common beginning are distinguished", () => {
  const items = ["choice1", "choice10", "choice100"].map((id, index) => ({ id, content: ["Us", "us", "US "][index] }));
  const ids = items.map(({ id }) => id);
  const text = chosenText(items, ids, true) ?? "";

  expect(matchMany(items, text)).toEqual(items);
});

test("an item is sent as its text if its id occurs in another item's text or id", () => {
  const word = [
    { id: "blue", content: "Red" },
    { id: "x", content: "Red" },
    { id: "y", content: "Blue" },
  ];
  const part = [
    { id: "a", content: "Red" },
    { id: "a-b", content: "red" },
  ];
  const twice = [
    { id: "a", content: "Red" },
    { id: "a", content: "red" },
  ];

  expect(chosenText(word, ["blue"], false)).toBe("Red");
  expect(chosenText(word, ["x"], false)).toBe("x");
  expect(chosenText(word, ["blue", "x"], true)).toBe("Red, Red");
  expect(chosenText(part, ["a"], true)).toBe("Red");
  expect(chosenText(twice, ["a"], true)).toBe("Red, red");
});

test("an item with a unique text is sent as its value or text", () => {
  const items = [
    { id: "a", content: "Red" },
    { id: "b", content: "Red wine", value: "wine" },
  ];
  const picture = [{ id: "p", title: "Cat" }];

  expect(chosenText(items, ["a"], false)).toBe("Red");
  expect(chosenText(items, ["b"], false)).toBe("wine");
  expect(chosenText(items, ["a", "b"], true)).toBe("Red, wine");
  expect(chosenText(picture, ["p"], false)).toBe("p");
  expect(chosenText(picture, ["p"], true)).toBe("Cat");
  expect(chosenText(items, ["gone"], false)).toBeUndefined();
});

test("a list of ids is converted to the items' values or texts", () => {
  const items = [
    { id: "a", content: "Red" },
    { id: "b", title: "Cat", value: "c" },
  ];

  expect(wordsOfIds(items, "a, b")).toBe("Red, c");
  expect(wordsOfIds(items, "a")).toBe("Red");
  expect(wordsOfIds(items, "Red")).toBeUndefined();
  expect(wordsOfIds(items, "a, Red")).toBeUndefined();
});

test("in a terminal, the number of an item selects the item", () => {
  const items = [
    { id: "i1", content: "Other" },
    { id: "i2", content: "Other" },
  ];
  const input = { id: "c", type: "choice input", items };

  expect([replyOf("2", input), replyOf("1", input)]).toEqual(["i2", "i1"]);
  expect(replyOf("1, 2", { ...input, options: { isMultipleChoice: true } })).toBe("i1, i2");
});

test("without scripts, each chosen item leads to its own target", async () => {
  const browser = visitor(host.api);
  let page = await browser.visit(`/${bot.publicId}`);
  for (const [index, set] of alikeChoices.entries()) {
    const chosen = chosenOf(set).map((at) => `${set.items[at]?.id}${index}q`);
    page = await browser.post(page, { choice: chosen });
  }
  const said = page.said.filter((line) => /^bot: \d+ (?:went|stored)/.test(line)).map((line) => line.slice(5));

  expect(said).toEqual([...alikeAnswers]);
  // The visitor sees texts, never ids.
  expect(page.said.filter((line) => /\bk.q\d+q/.test(line))).toEqual([]);
});

async function answerAll(chat: Locator, { before = async () => {} }: { before?(index: number): Promise<void> } = {}) {
  for (const [index, set] of alikeChoices.entries()) {
    await before(index);
    await chat.getByText(`Set ${index}?`, { exact: true }).waitFor();
    const form = chat.locator("form");
    for (const at of chosenOf(set)) {
      const option = form.locator(`[name=choice][value="${set.items[at]?.id}${index}q"]`);
      await (set.isMultiple ? option.check() : option.click());
    }
    if (set.isMultiple) await form.locator("[type=submit]").last().click();
  }
  await chat.getByText("All asked.").waitFor();
  const bubbles = await chat.locator(".typebot-host-bubble").allTextContents();
  return bubbles.map((text) => text.trim()).filter((text) => /^\d+ (?:went|stored)/.test(text));
}

inBrowser("on the chat page, each chosen item leads to its own target", async ({ page }) => {
  await page.goto(bot.address);
  await page.locator("body.is-live form").waitFor();
  const shown = () => page.locator(".typebot-guest-bubble:not(.is-under-way)").allTextContents();
  let before: readonly string[] = [];
  let after: readonly string[] = [];
  const said = await answerAll(page.locator("body"), {
    async before(index) {
      if (index < alikeChoices.length - 1) return;
      await page.getByText(`Set ${index}?`, { exact: true }).waitFor();
      before = await shown();
      await page.reload();
      // The page shows its first step until it has read the existing chat.
      await page.getByText(`Set ${index}?`, { exact: true }).waitFor();
      after = await shown();
    },
  });

  expect(said).toEqual([...alikeAnswers]);
  expect(before.length).toBe(alikeChoices.length - 1);
  expect(before.filter((text) => /\w+q\d+q/.test(text))).toEqual([]);
  expect(after).toEqual(before);
});

inLongRun(
  "in an embedded chat, the reply to each set leads to the right target, and the surrounding page receives texts",
  async ({ page }) => {
    const listen = `<script>
    window.heard = [];
    addEventListener("parley-answer", ({ detail }) => heard.push(detail.message));
  </script><script src="${host.origin}/embed.js" defer></script>`;
    await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head: listen }));
    const said = await answerAll(page.locator("parley-chat"));
    const heard = await page.evaluate((): unknown => Reflect.get(window, "heard"));

    expect(said).toEqual([...alikeAnswers]);
    expect(heard).toContain("Other");
    expect(heard).toContain("US, Us");
    expect(JSON.stringify(heard)).not.toMatch(/\w+q\d+q/);
  },
);
