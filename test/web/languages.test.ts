import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import type { Message } from "../../src/core/words/message.ts";
import rareEnglish from "../../src/web/conversation/en/rare.json";
import { uploadErrorText } from "../../src/web/conversation/files.ts";
import { parseLanguage } from "../../src/web/conversation/language.ts";
import { loadWords, supportedLanguages } from "../../src/web/conversation/languages/index.ts";
import { say } from "../../src/web/conversation/rare-words.ts";
import { readApiError, refusalText } from "../../src/web/conversation/refusal.ts";
import { addEnglish, wordsOf } from "../../src/web/conversation/words.ts";
import { bundleForBrowsers } from "../../src/web/server/bundle.ts";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openOtherSite } from "../support/host-page.ts";
import { type SeenPage, visitor } from "../support/web-page.ts";
import { faultsOf } from "../tools/words/check.ts";
import { page, readLanguage } from "../tools/words/files.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** Publishes a bot with the language. If the language is undefined, the bot sets no language. */
async function botIn(language: unknown, flow: object = nameAndEmail, general: object = {}) {
  const settings = { general: { ...general, ...(language !== undefined && { language }) } };
  return host.publish({ ...flow, settings: { ...settings, typingEmulation: { enabled: false } } });
}

const pageOf = async (language: unknown, languages?: string): Promise<SeenPage> =>
  visitor(host.api, languages === undefined ? {} : { languages }).visit(
    `/${(await botIn(language, unclear)).publicId}`,
  );

/** A flow whose texts have no recognisable language. */
const unclear = flowOf([says("?"), asks("text input"), says("!")]);

/** Returns the language that a page declares, and the label of its button. */
function spoken({ html, headers, form }: SeenPage) {
  const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)"/.exec(html) ?? [];
  return { lang, dir, told: headers.get("content-language"), button: form?.buttons[0]?.label };
}

describe("the texts of the page", () => {
  test("the texts of the page have a file for each language except English", () => {
    const files = [...new Glob("*.json").scanSync(join(import.meta.dir, "../../src/web/conversation/languages"))];
    // English is not a separate file.
    expect(
      supportedLanguages
        .filter((tag) => tag !== "en")
        .map((tag) => `${tag}.json`)
        .toSorted(),
    ).toEqual(files.toSorted());
    expect(files.length).toBeGreaterThan(12);
  });

  for (const tag of supportedLanguages.filter((tag) => tag !== "en")) {
    test(`the texts of the page have in "${tag}" only existing keys, values and plural forms`, () => {
      const [english, words] = [page.readEnglish(), readLanguage(page, tag)];
      expect(faultsOf({ english, words, tag })).toEqual([]);
      const alike = Object.entries(words).filter(([name, sentence]) => english[name] === sentence);
      expect(alike.length).toBeLessThan(8);
    });
  }

  test("the texts of the page fall back to English with English plural rules", () => {
    const ownForms = { one: "{count} Treffer", other: "{count} Treffer" };
    const german = (found?: Message) =>
      wordsOf({ systemMessages: {} }, { language: "fr", send: "Senden", ...(found !== undefined && { found }) });
    addEnglish({ ...rareEnglish, found: "{count, number} to choose from" });
    try {
      expect([german().send, german().close]).toEqual(["Senden", "Close"]);
      expect(say(german(), "found", { count: 1234 })).toBe("1,234 to choose from");
      expect(say(german(ownForms), "found", { count: 2 })).toBe("2 Treffer");
    } finally {
      addEnglish(rareEnglish);
    }
  });

  test("the texts of the page are replaced by the author's own texts", async () => {
    const systemMessages = {
      ...{ networkErrorTitle: "1", networkErrorMessage: "2", popupBlockedTitle: "3", popupBlockedDescription: "4" },
      ...{ popupBlockedButtonLabel: "5", fileUploadError: "6", fileUploadSizeError: "7", invalidMessage: "8" },
      ...{ botClosed: "9" },
    };

    const words = wordsOf({ systemMessages }, await loadWords("de"));

    expect(words).toMatchObject({ ...systemMessages, send: "Senden" });
  });

  test("the texts of the page replace refusals of the service", async () => {
    const words = wordsOf({ systemMessages: {} }, await loadWords("de"));
    const settings = { systemMessages: {} };
    const refused = (type: string, options: object = {}, author = settings) =>
      refusalText("As told", { input: { id: "i", type, options }, settings: author, words });

    expect(["email input", "payment input", "text input"].map((type) => refused(type))).toEqual([
      words.emailRefused,
      words.payFailed,
      words.invalidMessage,
    ]);
    const paying = {
      input: { id: "i", type: "payment input", options: { retryMessageContent: "Noch einmal" } },
      words,
    };
    expect(refusalText("payment.processing", { ...paying, settings })).toBe(words.payProcessing);
    expect(refusalText("payment.checking", { ...paying, settings })).toBe(words.payChecking);
    expect(refused("email input", { retryMessageContent: "Noch einmal, {{Name}}" })).toBe("As told");
    expect(refused("text input", {}, { systemMessages: { invalidMessage: "Noch einmal, {{Name}}" } })).toBe("As told");
  });

  test("the texts of the page explain why a file was refused", async () => {
    const words = wordsOf({ systemMessages: {} }, await loadWords("de"));
    const told = (code: string, data: object = {}) =>
      uploadErrorText(readApiError({ code, message: "In English", data }), "foto.png", words);

    const codes = ["type_not_allowed", "size_not_allowed", "too_many", "empty", "not_expected"];
    expect(codes.map((code) => told(`upload.${code}`))).toEqual([
      words.fileTypeRefused,
      words.fileTooLarge,
      words.fileTooMany,
      words.fileEmpty,
      words.fileUploadError,
    ]);
    expect(told("request.too_large", { maxBytes: 1.5 * 1024 * 1024 })).toBe("foto.png ist größer als 1,5 MB.");
  });

  test("the texts of the page are loaded only for their own language", async () => {
    const loaded = async (tag: string) => (await loadWords(tag)).send;

    expect(await Promise.all(["pt-BR", "zh-Hans-CN", "zh-SG", "de-CH"].map(loaded))).toEqual([
      "Enviar",
      "发送",
      "发送",
      "Senden",
    ]);
    expect(await Promise.all(["zh-TW", "hi-Latn", "eo", "en-GB"].map(loaded))).toEqual(Array(4).fill(undefined));
  });
});

describe("a language's file", () => {
  const ask = (path: string) => fetch(`${host.origin}/assets${path}`);
  const textIn = async (path: string) => (await ask(path)).text();

  test("the German file is smaller than its texts with keys", async () => {
    const files = await bundleForBrowsers();
    const tags = files
      .map(({ entry }) => entry?.replace(/\.js$/, ""))
      .filter((tag) => supportedLanguages.includes(tag ?? ""));
    const german = files.find(({ entry }) => entry === "de.js")?.text ?? "";

    expect(tags.toSorted()).toEqual(supportedLanguages.filter((tag) => tag !== "en").toSorted());
    expect(german).toEndWith("as default};\n");
    expect(german.length).toBeLessThan(JSON.stringify(await loadWords("de")).length);
  });

  test("a page of another release gets the current file of its language", async () => {
    const [of, embedded] = [await ask("/chat/de-0ther00.js"), await ask("/chat/attempts/2/he-0ther00.js")];

    expect(of.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect([of, embedded].map(({ headers }) => headers.get("cache-control"))).toEqual(["no-store", "no-store"]);
    expect(await of.text()).toContain("Unterhaltung");
    expect(await embedded.text()).toContain("שליחה");
    expect(await textIn("/preview/fr-0ther00.js")).toContain("Envoyer");
  });

  test("a language without texts has no file", async () => {
    const paths = ["/chat/eo-0ther00.js", "/chat/chat-0ther00.js", "/chat/xx-0ther00.js"];
    const statuses = paths.map(async (path) => (await ask(path)).status);

    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });

  test("a language's file is cached permanently under its own name", async () => {
    const chat = /\/assets\/chat\/chat-\w+\.js/.exec(await (await fetch(`${host.origin}/embed.js`)).text())?.[0];
    const [, name = ""] = /import\("\.\/(de-\w+\.js)"\)/.exec(await (await fetch(host.origin + chat)).text()) ?? [];
    const own = await ask(`/chat/${name}`);

    expect(own.headers.get("cache-control")).toContain("immutable");
    expect(await own.text()).toContain("Unterhaltung");
  });
});

test("a language has the direction of its script", () => {
  const directions = ["ar", "he", "iw", "fa", "ur", "ckb", "az-Arab", "de", "az", "ha", "ja"].map(
    (tag) => parseLanguage(tag)?.dir,
  );

  expect(directions).toEqual([...Array(7).fill("rtl"), ...Array(4).fill("ltr")]);
});

describe("the language of a page", () => {
  test("a page uses the bot's language, not the visitor's language", async () => {
    const page = await pageOf("de", "fr, en;q=0.8");

    expect(spoken(page)).toEqual({ lang: "de", dir: "ltr", told: "de", button: "Senden" });
    expect(page.headers.get("vary") ?? "").not.toMatch(/accept-language/i);
  });

  test("a page uses the language of the bot's texts if none is set", async () => {
    const flow = flowOf([says("¡Hola! ¿Cómo te llamas?"), asks("text input"), says("Gracias. ¿Cuál es tu correo?")]);
    const { publicId } = await botIn(undefined, flow);
    const page = await visitor(host.api, { languages: "de" }).visit(`/${publicId}`);

    expect(spoken(page)).toEqual({ lang: "es", dir: "ltr", told: "es", button: "Enviar" });
    expect(page.headers.get("vary") ?? "").not.toMatch(/accept-language/i);
  });

  test("a page uses the visitor's language if the bot's is unknown", async () => {
    const page = await pageOf(undefined, "eo, en;q=0.5, fr-CA;q=0.8, de;q=0");

    expect(spoken(page)).toEqual({ lang: "fr-CA", dir: "ltr", told: "fr-CA", button: "Envoyer" });
    expect(page.headers.get("vary")).toMatch(/accept-language/i);
  });

  test("a page uses English if bot and visitor have no supported language", async () => {
    const usual = { lang: "en", dir: "ltr", told: "en", button: "Send" };

    for (const languages of [undefined, "eo", "*", "", ";;q=,", "de;q=0", "zh-TW", "x".repeat(500)]) {
      expect(spoken(await pageOf(undefined, languages))).toEqual(usual);
    }
    expect(spoken(await pageOf(undefined, "en-GB, de"))).toEqual({ ...usual, lang: "en-GB", told: "en-GB" });
  });

  test("an invalid language tag of a bot is ignored for the visitor's language", async () => {
    for (const language of ["", "German", "de_DE", "de-", "i-klingon", '"><script>']) {
      expect(spoken(await pageOf(language, "it")).lang).toBe("it");
    }
  });

  test("a page uses English texts for an unsupported language", async () => {
    expect(spoken(await pageOf("fa", "de"))).toEqual({ lang: "fa", dir: "rtl", told: "fa", button: "Send" });
  });

  test("a page contains the texts of its language", async () => {
    const data = ({ html }: SeenPage): unknown => {
      const [, text = ""] = /<script type="application\/json" id="chat-data">(.*?)<\/script>/s.exec(html) ?? [];
      return Reflect.get(JSON.parse(text), "language");
    };

    expect(data(await pageOf("en"))).toEqual({});
    expect(data(await pageOf("de-AT"))).toEqual({ ...(await loadWords("de")), language: "de-AT" });
  });
});

describe("a chat without script", () => {
  async function refused(input: object, text: string, { language = "de", languages = "en" } = {}) {
    const { publicId } = await botIn(language, flowOf([says("Was?"), input, says("Ende")]));
    const browser = visitor(host.api, { languages });
    const page = await browser.post(await browser.visit(`/${publicId}`), { text });
    return { ...spoken(page), remarks: page.remarks };
  }

  test("a refusal by the page is in the bot's language", async () => {
    expect(await refused(asks("text input"), " ")).toMatchObject({ remarks: ["Bitte füllen Sie dieses Feld aus."] });
    expect(await refused(asks("number input", { max: 12_000.5 }), "13000")).toMatchObject({
      lang: "de",
      remarks: ["Bitte geben Sie 12.000,5 oder weniger ein."],
    });
  });

  test("messages of the service are in the bot's language", async () => {
    expect(await refused(asks("email input"), "a@b")).toMatchObject({
      remarks: ["Diese E-Mail-Adresse scheint nicht zu stimmen. Bitte geben Sie sie noch einmal ein."],
    });
    const own = asks("email input", { retryMessageContent: "Wirklich?" });
    expect(await refused(own, "a@b")).toMatchObject({ remarks: ["Wirklich?"] });
  });

  test("refusals by the page use the author's message for the input or the bot", async () => {
    const remarks = async (input: object, text: string, systemMessages: object = {}) => {
      const { publicId } = await botIn("de", flowOf([input]), { systemMessages });
      const browser = visitor(host.api);
      return (await browser.post(await browser.visit(`/${publicId}`), { text })).remarks;
    };
    const forAll = { invalidMessage: "Das passt nicht." };

    for (const type of ["email input", "url input", "phone number input"]) {
      expect(await remarks(asks(type, { retryMessageContent: "Wirklich?" }), "x", forAll)).toEqual(["Wirklich?"]);
    }
    expect(await remarks(asks("number input", { max: 5 }), "6", forAll)).toEqual([
      "Das passt nicht. Bitte geben Sie 5 oder weniger ein.",
    ]);
    expect(await remarks(asks("number input", { max: 5 }), "6")).toEqual(["Bitte geben Sie 5 oder weniger ein."]);
  });

  test("a number in Arabic digits is parsed", async () => {
    const { publicId } = await botIn("ar", flowOf([says("كم؟"), asks("number input"), says("شكرًا")]));
    const browser = visitor(host.api);

    const page = await browser.post(await browser.visit(`/${publicId}`), { text: "١٢٫٥" });

    expect(page.said).toEqual(["bot: كم؟", "visitor: 12.5", "bot: شكرًا"]);
  });
});

describe("an address without a chat", () => {
  test("a closed bot shows a message in its language", async () => {
    const closed = async (general: object) => {
      const { publicId } = await host.publish({ ...unclear, settings: { general } }, { isClosed: true });
      return visitor(host.api, { languages: "fr" }).visit(`/${publicId}`);
    };
    const own = { language: "he", systemMessages: { botClosed: "נחזור ביום שני" } };

    const pages = [await closed({ language: "he" }), await closed(own), await closed({})];

    expect(pages.map(({ remarks }) => remarks)).toEqual([
      ["הבוט הזה סגור כרגע"],
      ["נחזור ביום שני"],
      ["Ce bot est maintenant fermé"],
    ]);
    expect(pages.map((page) => spoken(page).dir)).toEqual(["rtl", "rtl", "ltr"]);
  });

  test("an address without a bot shows an error in the visitor's language", async () => {
    const page = await visitor(host.api, { languages: "ja" }).visit("/nobody-is-here");

    expect(page).toMatchObject({ status: 404, remarks: ["ここにボットはありません"] });
    expect(spoken(page).lang).toBe("ja");
    expect(page.headers.get("vary")).toMatch(/accept-language/i);
  });
});

const choices = asks("choice input", { isMultipleChoice: true }, { items: [{ id: "a", content: "نعم" }] });

inBrowser(
  "an Arabic page has a right-to-left layout",
  async ({ page, problems }) => {
    const flow = flowOf([says("مرحبًا! ما اسمك؟"), asks("text input"), says("هل أنت جاهز؟"), choices]);
    const { address } = await botIn("ar", flow);
    await page.goto(address);
    await page.locator("body.is-live .typebot-input-form").waitFor();

    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("يُرجى ملء هذا الحقل.").waitFor();
    const asking = await axeProblems(page);
    await page.getByRole("textbox").fill("ليلى");
    await page.getByRole("button", { name: "إرسال" }).click();
    await page.getByRole("checkbox", { name: "نعم" }).waitFor();

    const middle = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { left, width } = element.getBoundingClientRect();
          return (left + width / 2) / innerWidth;
        });
    expect(await page.locator("html").evaluate((html) => getComputedStyle(html).direction)).toBe("rtl");
    expect(await middle(".typebot-host-bubble")).toBeGreaterThan(0.5);
    expect(await middle(".typebot-guest-bubble")).toBeLessThan(0.5);
    expect(await middle(".typebot-selectable")).toBeLessThan(0.5);
    expect([...asking, ...(await axeProblems(page))]).toEqual([]);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 600, height: 700 } },
);

inBrowser(
  "the visitor's browser determines the language if the bot has none",
  async ({ page }) => {
    const { address } = await botIn(undefined, flowOf([says("?"), asks("number input", { min: 1_000 }), says("!")]));
    await page.goto(address);
    await page.locator("body.is-live .typebot-input-form").waitFor();

    await page.getByRole("textbox").fill("1");
    await page.keyboard.press("Enter");

    await page.getByRole("alert").getByText("Digite 1.000 ou mais.").waitFor();
  },
  { locale: "pt-BR" },
);

inLongRun(
  "an embedded chat loads the texts of its bot's language, or otherwise of the surrounding page's language",
  async ({ page }) => {
    // Chats start when they come into view, so the window must be tall enough for all of them.
    await page.setViewportSize({ width: 800, height: 2200 });
    const site = openOtherSite();
    const [hebrew, open] = [await botIn("he"), await botIn(undefined, unclear)];
    const head = `<script src="${host.origin}/embed.js" defer></script>`;
    const body = `<parley-chat id="own" bot="${hebrew.publicId}"></parley-chat>
    <div lang="pl"><parley-chat id="around" bot="${open.publicId}"></parley-chat></div>
    <div lang="eo"><parley-chat id="neither" bot="${open.publicId}"></parley-chat></div>
    <parley-popup bot="${hebrew.publicId}" default-open></parley-popup>`;
    try {
      await page.goto(site.page(body, { head }));

      await page.locator("#own").getByRole("button", { name: "שליחה" }).waitFor();
      await page.locator("#around").getByRole("button", { name: "Wyślij" }).waitFor();
      await page.locator("#neither").getByRole("button", { name: "Send" }).waitFor();

      await page.getByRole("button", { name: "סגירה" }).click();
      const root = page.locator("#own .scheme");
      expect(await root.evaluate(({ lang, dir }: HTMLElement) => ({ lang, dir }))).toEqual({ lang: "he", dir: "rtl" });
      const sides = await page.locator("#own").evaluate((element) => {
        const middle = (selector: string) => {
          const { left, width } = element.shadowRoot?.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
          return left + width / 2;
        };
        return { host: middle(".typebot-host-bubble"), send: middle(".send-button"), field: middle(".text-input") };
      });
      expect(sides.host).toBeGreaterThan(sides.send);
      expect(sides.field).toBeGreaterThan(sides.send);
    } finally {
      await site.close();
    }
  },
);
