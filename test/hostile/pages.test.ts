import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer } from "../support/live-page.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { waitFor } from "../support/wait.ts";
import { watch } from "./canary.ts";
import { expectHarmlessAddresses, expectWords } from "./page-checks.ts";
import { addressBubbles, asksAgain, hostileTheme, labelledInputs, wordBubbles } from "./page-flows.ts";
import { addresses, createPayloads, evil, markups, styles } from "./page-payloads.ts";

let host: ChatHost;
let site: OtherSite;
/** A server that answers every call with a text of the test. */
let called: OutsideServer;
let calledSays: unknown;
const payloads = createPayloads();
const { give, all, dealer, whatRan } = payloads;
const inBrowser = browserTests();

beforeAll(async () => {
  called = await startOutside((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(calledSays));
  });
  host = await openChatHost({ safeFetch: outsideFetch(), config: { RATE_LIMITS: "off" } });
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
  await called.close();
});

const settings = { typingEmulation: { enabled: false } };
const greeting = says("Welcome");
const publish = (flow: object) => host.publish({ settings, ...flow });
/** Pages of another site that show the chats in frames (`inFrames`) or as elements (`embedded`). */
const inFrames = (bots: readonly PublishedBot[]) =>
  site.page(bots.map(({ address }) => `<iframe src="${address}" width="400" height="300"></iframe>`).join(""));
const embedded = (bots: readonly PublishedBot[]) =>
  site.page(bots.map(({ publicId }) => `<parley-chat bot="${publicId}"></parley-chat>`).join(""), {
    head: `<script src="${host.origin}/embed.js" defer></script>`,
  });

/**
 * In the long run, texts, themes and windows are checked in pages and in embeds. Both render bubbles and inputs with
 * the same components, so a short run checks only pages.
 */
const addressesOf = (bot: PublishedBot) => (isLong ? [bot.address, embedded([bot])] : [bot.address]);

inBrowser("the attack detector notices scripts, styles and requests", async (visit) => {
  const canary = await watch(visit);
  const notices = async (id: number) => {
    const noticed = new Set(await canary.noticed());
    return [`ran ${id}`, `styled ${id}`, `asked ${id}`].every((what) => noticed.has(what));
  };
  const flowWith = (id: number) => ({
    ...flowOf([greeting, asks("text input")]),
    theme: { customCss: `* { --hacked: ${id}; background: url(${evil}/css-${id}) }` },
    settings: { ...settings, metadata: { customHeadCode: `<script>ran(${id})</script>` } },
  });

  await visit.page.goto((await publish(flowWith(1))).address);
  await waitFor(() => notices(1), { what: "the canary in a page" });
  await expectHarmlessAddresses(visit.page);
  for (const html of ["<base>", "<embed>", '<a href="data:text/html,x"></a>']) {
    await visit.page.evaluate((text) => {
      const element = document.getElementById("added") ?? document.body.appendChild(document.createElement("div"));
      element.id = "added";
      element.innerHTML = text;
    }, html);
    await expect(expectHarmlessAddresses(visit.page)).rejects.toThrow("toEqual");
  }
  await visit.page.goto(embedded([await publish(flowWith(2))]));
  await waitFor(() => notices(2), { what: "the canary in an embed" });
});

inBrowser("markup in the texts of bubbles is shown as text", async (visit) => {
  const canary = await watch(visit);
  const texts = all("text of a bubble", markups);
  const bot = await publish(flowOf([...wordBubbles(texts), asks("text input")]));

  for (const address of [bot.address, embedded([bot])]) {
    await visit.page.goto(address);
    await visit.page.getByRole("textbox").waitFor();
    expect(await textsOf(visit.page.locator(".typebot-host-bubble"))).toEqual(texts);
  }
  await canary.expectNone(whatRan);
});

inBrowser("hostile addresses in bubbles run no code, even when their links are clicked", async (visit) => {
  const canary = await watch(visit);
  const bubbles = addressBubbles((place) => all(place, addresses));
  const bot = await publish(flowOf([greeting, ...bubbles, asks("text input")]));

  for (const address of addressesOf(bot)) {
    await visit.page.goto(address);
    await visit.page.getByRole("textbox").waitFor();
    await expectHarmlessAddresses(visit.page);
    await visit.page.getByText("Follow").evaluateAll((found) => {
      for (const element of found) if (element instanceof HTMLElement) element.click();
    });
    expect(await visit.page.getByText("Follow").count()).toBe(addresses.length);
  }
  await canary.expectNone(whatRan);
});

inBrowser("markup in the texts of inputs is shown as text", async (visit) => {
  const canary = await watch(visit);
  const asked = labelledInputs(dealer(markups), dealer(addresses));
  const bots = await Promise.all(asked.map(({ input }) => publish(flowOf([greeting, input]))));

  await visit.page.goto(inFrames(bots));
  const pages = visit.page.frames().filter((frame) => frame !== visit.page.mainFrame());
  await Promise.all(pages.map((frame) => frame.locator("body.is-live form").first().waitFor()));
  await expectWords(
    pages,
    asked.flatMap(({ shown }) => shown),
  );
  for (const frame of pages) await expectHarmlessAddresses(frame);
  await canary.expectNone(whatRan);
  // An embed renders inputs with the components of pages, which other tests of this file check.
  if (!isLong) return;
  await visit.page.goto(embedded(bots));
  for (const { publicId } of bots) {
    const chat = visit.page.locator(`parley-chat[bot="${publicId}"]`);
    await chat.scrollIntoViewIfNeeded();
    await chat.locator("form").first().waitFor();
  }
  await expectWords(
    [visit.page.mainFrame()],
    asked.flatMap(({ shown }) => shown),
  );
  await expectHarmlessAddresses(visit.page);
  await canary.expectNone(whatRan);
});

inBrowser("values of a theme run no code, even values from the page's address", async (visit) => {
  const canary = await watch(visit);
  const [style, address] = [dealer(styles), dealer(addresses)];
  const inputs = [asks("rating input", { length: 3 }), says("Over")];
  const own = await Promise.all(
    Array.from({ length: 6 }, () => publish({ ...flowOf([greeting, ...inputs]), theme: hostileTheme(style, address) })),
  );
  const query = new URLSearchParams();
  const variables: { id: string; name: string }[] = [];
  const asVariable = (text: string) => {
    const name = `V${variables.length}`;
    variables.push({ id: name, name });
    query.set(name, text);
    return `{{${name}}}`;
  };
  const theme = hostileTheme(
    (place) => asVariable(style(`${place}, by a variable`)),
    (place) => asVariable(address(`${place}, by a variable`)),
  );
  const given = await publish({ ...flowOf([greeting, ...inputs]), variables, theme });

  await visit.page.goto(inFrames([...own, { ...given, address: `${given.address}?${query}` }]));
  const pages = visit.page.frames().filter((frame) => frame !== visit.page.mainFrame());
  expect(pages.length).toBe(own.length + 1);
  await Promise.all(pages.map((frame) => frame.locator("body.is-live form").first().waitFor()));
  await canary.expectNone(whatRan);
  await visit.page.goto(`${embedded([...own, given])}?${query}`);
  for (const { publicId } of [...own, given]) {
    const chat = visit.page.locator(`parley-chat[bot="${publicId}"]`);
    await chat.scrollIntoViewIfNeeded();
    await chat.locator("form").first().waitFor();
  }
  await canary.expectNone(whatRan);
});

inBrowser("variables from the page's address are shown as text", async (visit) => {
  const canary = await watch(visit);
  const texts = all("variable in a text", markups);
  const query = new URLSearchParams(texts.map((text, index) => [`T${index}`, text]));
  const referred = (place: string) =>
    all(`${place}, by a variable`, addresses).map((text, index) => {
      query.set(`${place} ${index}`, text);
      return `{{${place} ${index}}}`;
    });
  const bubbles = addressBubbles(referred);
  for (const name of ["name of a variable", "another"]) query.set(give(name, markups[0] ?? String), "x");
  const variables = [...query.keys()].map((name) => ({ id: name, name }));
  const flow = flowOf([...wordBubbles(texts.map((_, index) => `{{T${index}}}`)), ...bubbles, asks("text input")]);
  const bot = await publish({ ...flow, variables });

  for (const address of addressesOf(bot)) {
    await visit.page.goto(`${address}?${query}#${encodeURIComponent(give("fragment", markups[2] ?? String))}`);
    await visit.page.getByRole("textbox").waitFor();
    const shown = await textsOf(visit.page.locator(".text-bubble"));
    // An inserted value is parsed as Markdown.
    expect(texts.filter((text) => !/[&[]/.test(text) && !shown.includes(text))).toEqual([]);
    await expectHarmlessAddresses(visit.page);
  }
  await canary.expectNone(whatRan);
});

inBrowser("an answer with markup is shown as text, immediately and after a reload", async (visit) => {
  const canary = await watch(visit);
  const said = all("answer", markups).join("\n");
  const remember = { ...settings, general: { rememberUser: { isEnabled: true } } };
  const bot = await publish({ ...flowOf([greeting, ...asksAgain, asks("number input")]), settings: remember });

  await visit.page.goto(bot.address);
  await visit.page.locator("body.is-live form").waitFor();
  await visit.page.getByRole("textbox").fill(said);
  await visit.page.locator("form [type=submit]").first().click();
  await visit.page.locator("form[data-input-type='number input']").waitFor();
  for (const when of ["at once", "after a reload"]) {
    if (when !== "at once") await visit.page.reload();
    const answer = visit.page.locator(".typebot-guest-bubble");
    await answer.waitFor();
    expect([when, await answer.textContent()]).toEqual([when, said]);
    await visit.page.getByText(`You said ${markups[0]?.(0).slice(0, 8)}`).waitFor();
  }
  await canary.expectNone(whatRan);
});

inBrowser("responses of called servers are shown as text in choices", async (visit) => {
  const canary = await watch(visit);
  const texts = all("answer of a called server", markups);
  calledSays = {
    texts,
    ...Object.fromEntries(addresses.map((_, index) => [`a${index}`, give("address", addresses[index] ?? String)])),
  };
  const names = ["Texts", ...addresses.map((_, index) => `a${index}`)];
  const call = {
    id: "call",
    type: "Webhook",
    options: {
      webhook: { url: called.url("/") },
      responseVariableMapping: names.map((name) => ({
        id: name,
        variableId: idOf(name),
        bodyPath: name === "Texts" ? "data.texts" : `data.${name}`,
      })),
    },
  };
  const bubbles = addressBubbles(() => addresses.map((_, index) => `{{a${index}}}`));
  const choices = { id: "choices", type: "choice input", options: { dynamicVariableId: idOf("Texts") }, items: [] };
  const flow = flowOf([greeting, call, ...bubbles, choices]);
  const bot = await publish({ ...flow, variables: names.map((name) => ({ id: idOf(name), name })) });

  for (const address of addressesOf(bot)) {
    await visit.page.goto(address);
    await visit.page.locator("[name=choice], [data-input-type='choice input'] button").first().waitFor();
    await expectWords([visit.page.mainFrame()], texts);
    await expectHarmlessAddresses(visit.page);
  }
  await canary.expectNone(whatRan);
});

inBrowser("a bot's title and messages are shown as text, and its metadata runs no code", async (visit) => {
  const canary = await watch(visit);
  const word = dealer(markups);
  for (let dealt = 0; dealt < markups.length; dealt += 5) {
    const [title, description] = [word("title of a page"), word("description of a page")];
    const [imageUrl, favIconUrl] = [word("picture of a page"), word("icon of a page")];
    const general = { language: word("language of a bot") };
    const metadata = { title, description, imageUrl, favIconUrl };
    const bot = await publish({
      ...flowOf([greeting, asks("text input")]),
      settings: { ...settings, general, metadata },
    });
    await visit.page.goto(bot.address);
    await visit.page.locator("body.is-live form").waitFor();
    expect(await visit.page.title()).toBe(title);
    expect(await visit.page.locator("html").getAttribute("lang")).toBe("en");
    expect(await metadataOf(visit.page)).toEqual({
      description,
      "og:title": title,
      "og:description": description,
      "og:image": imageUrl,
      icon: favIconUrl,
    });
  }

  const [retry, botClosed, payment] = [word("retry message"), word("closed bot"), word("payment that fails")];
  const paying = { amount: "1", failure: { message: payment, outgoingEdgeId: idOf("e1") } };
  const bot = await publish({
    ...flowOf(
      [greeting, { id: "pay", type: "payment input", options: paying }],
      [asks("email input", { retryMessageContent: retry })],
    ),
    settings: { ...settings, general: { systemMessages: { botClosed } } },
  });
  await visit.page.goto(bot.address);
  await visit.page.locator("body.is-live form").waitFor();
  await expectWords([visit.page.mainFrame()], [payment]);
  await answer(visit.page, "a@b");
  await visit.page.getByText(retry).waitFor();
  const close = { token: host.owner.token, body: { bot: { isClosed: true } } };
  await host.api.client.patch(`/api/v1/bots/${bot.botId}`, close);
  await visit.page.goto(`${bot.address}?again`);
  await visit.page.getByText(botClosed).waitFor();
  await canary.expectNone(whatRan);
});

inBrowser("markup in the names of uploaded files is shown as text", async (visit) => {
  const canary = await watch(visit);
  // Browsers use the part after a slash as the name.
  const names = all(
    "name of a file",
    markups.filter((markup) => !markup(0).includes("/")),
  ).map((text) => `${text}.txt`);
  const input = asks("file input", { isMultipleAllowed: true });
  const bot = await publish(flowOf([greeting, input, says("Over")]));

  for (const address of addressesOf(bot)) {
    await visit.page.goto(address);
    await visit.page.locator("form [type=submit]").first().waitFor();
    const files = names.map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from("x") }));
    await visit.page.locator("input[type=file]").setInputFiles(files);
    await visit.page.locator("form [type=submit]:not([name])").first().click();
    // Each file is uploaded separately, so this many files may need the whole time of the test.
    await visit.page.getByText("Over").waitFor({ timeout: 0 });
    await expectWords([visit.page.mainFrame()], names);
    await expectHarmlessAddresses(visit.page);
  }
  await canary.expectNone(whatRan);
});

inBrowser("a redirect to a hostile address runs no code", async (visit) => {
  const canary = await watch(visit);
  const query = new URLSearchParams();
  const targets = [
    ...all("redirect", addresses),
    ...all("redirect, by a variable", addresses).map((text, index) => {
      query.set(`R${index}`, text);
      return `{{R${index}}}`;
    }),
  ];
  const redirects = targets.map((url, index) => ({
    id: `go ${index}`,
    type: "Redirect",
    options: { url, isNewTab: true },
  }));
  const variables = [...query.keys()].map((name) => ({ id: name, name }));
  const bot = await publish({ ...flowOf([greeting, ...redirects, asks("text input")]), variables });

  for (const address of addressesOf(bot)) {
    await visit.page.goto(`${address}?${query}`);
    await visit.page.getByRole("textbox").waitFor();
    await expectHarmlessAddresses(visit.page);
    expect(visit.page.url().startsWith(address)).toBe(true);
  }
  await canary.expectNone(whatRan);
});

inBrowser("messages from other windows are ignored", async (visit) => {
  const canary = await watch(visit);
  const said = give("message of a frame", markups[2] ?? String);
  const sends = `parent.postMessage({ name: "bought", data: ${JSON.stringify(said)} }, "*")`.replaceAll("<", "\\u003c");
  const shop = site.page(
    `<button>Buy</button><script>document.querySelector("button").onclick = () => ${sends}</script>`,
  );
  const waitForEvent = { isEnabled: true, name: "bought", saveDataInVariableId: idOf("Name") };
  const frame = { id: "shop", type: "embed", content: { url: shop, height: 300, waitForEvent } };
  const bot = await publish(flowOf([greeting, frame, says("Thank you, {{Name}}."), asks("text input")]));
  const strangers = all("message of another window", markups).flatMap((text) => [
    { name: "bought", data: text },
    JSON.stringify({ name: "bought", data: text }),
    { isFromTypebot: true, command: "setInputValue", value: text },
    { isFromParley: true, command: "sendCommand", text },
    { type: "bought", name: ["bought"], data: { toString: text } },
  ]);

  for (const address of [inFrames([bot]), embedded([bot])]) {
    await visit.page.goto(address);
    await waitFor(async () => visit.page.frames().some((one) => one.url() === shop), { what: "the embedded page" });
    await visit.page.evaluate((messages) => {
      for (const target of [window, ...Array.from({ length: frames.length }, (_, index) => frames[index])]) {
        for (const message of messages) target?.postMessage(message, "*");
      }
    }, strangers);
    const shopFrame = visit.page.frames().find((one) => one.url() === shop);
    await shopFrame?.getByRole("button").click();
    const thanked = await waitFor(async () => {
      const texts = await Promise.all(visit.page.frames().map((one) => one.locator(".text-bubble").allTextContents()));
      return texts.flat().find((text) => text.startsWith("Thank you"));
    });
    expect(thanked).toBe(`Thank you, ${said}.`);
  }
  await canary.expectNone(whatRan);
});

inBrowser("the tests of pages use at least 60 payloads", async () => {
  process.stdout.write(`${payloads.count()} payloads in ${payloads.places()} places of pages\n`);
  expect(payloads.count()).toBeGreaterThanOrEqual(60);
});

/** Returns the metadata that comes from the settings of a bot. */
async function metadataOf(page: Page): Promise<Record<string, string | null>> {
  return await page.evaluate(() => {
    const read = (selector: string, name: string) => document.querySelector(selector)?.getAttribute(name) ?? null;
    const tags = ["og:title", "og:description", "og:image"];
    return {
      description: read("meta[name=description]", "content"),
      ...Object.fromEntries(tags.map((tag) => [tag, read(`meta[property="${tag}"]`, "content")])),
      icon: read("link[rel=icon]", "href"),
    };
  });
}

/** Returns the texts of bubbles, without the labels of buttons that copy code. */
async function textsOf(bubbles: Locator): Promise<string[]> {
  return await bubbles.evaluateAll((elements) =>
    elements.map((element) => {
      const copy = document.createElement("div");
      copy.append(...[...element.childNodes].map((node) => node.cloneNode(true)));
      for (const button of copy.querySelectorAll("button")) button.remove();
      return copy.textContent ?? "";
    }),
  );
}
