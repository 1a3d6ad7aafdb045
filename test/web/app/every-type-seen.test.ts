import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import resultWords from "../../../src/web/app/words/en/result.json";
import { currentWords } from "../../../src/web/app/words/language.ts";
import { cards, serveStripeTo } from "../../fake-providers/stripe-script.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, says } from "../../support/chat.ts";
import type { PublishedBot } from "../../support/chat-host.ts";
import { type EveryProvider, startEveryProvider } from "../../support/every-provider.ts";
import { type Asking, everyType } from "../../support/every-type.ts";
import { shownIn, withoutNotes } from "../../support/shown-chat.ts";
import { waitFor } from "../../support/wait.ts";

// A visitor answers a flow with every block type in the chat page. The test then checks its result in the builder, in
// the API and as a file. `PARLEY_SHOTS` sets a folder for screenshots of the chat and of the result.

const inBrowser = browserTests();
const shots = process.env["PARLEY_SHOTS"];
const { seen } = currentWords(resultWords);

/** Blocks that a page hides, and inputs for files that only the author can read. */
const more: readonly Asking[] = [
  [{ id: idOf("strange"), type: "hologram", options: {} }],
  [{ id: idOf("script"), type: "Code", options: { content: "window.ran = (window.ran ?? 0) + 1" } }],
  [says("Between two scripts", idOf("between"))],
  [{ id: idOf("second script"), type: "Code", options: { content: "window.ran += 1" } }],
  [
    {
      ...{ id: idOf("by browser"), type: "Set variable" },
      options: { variableId: idOf("Email"), expressionToEvaluate: "'from the browser'", isExecutedOnClient: true },
    },
  ],
  [says("It is {{Email}}", idOf("from browser"))],
  [
    {
      ...{ id: idOf("private"), type: "file input" },
      options: { isMultipleAllowed: true, visibility: "Private", variableId: idOf("Email") },
    },
    null,
  ],
  [
    {
      ...{ id: idOf("attached"), type: "text input" },
      options: { attachments: { isEnabled: true, visibility: "Private" }, variableId: idOf("Email") },
    },
    "With a letter",
  ],
];

type Hand = (form: Locator, page: Page, picture: Buffer) => Promise<void>;

const types =
  (text: string, field = "input:visible, textarea:visible"): Hand =>
  async (form, page) => {
    await form.locator(field).first().focus();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
const presses =
  (label: string, before?: (form: Locator) => Promise<void>): Hand =>
  async (form) => {
    await before?.(form);
    await form.getByRole("button", { name: label }).click();
  };
const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all") };

/** How a visitor answers each input, by its block. */
const hands: Readonly<Record<string, Hand>> = {
  "text input": types("Ana"),
  "number input": types("4"),
  "email input": types("ana@example.com"),
  "url input": types("https://www.example.com"),
  "date input": types("11242026"),
  "time input": types("0230PM"),
  "phone number input": types("06 12 34 56 78", "input[type=tel]"),
  "choice input": presses("Yes"),
  "picture choice input": presses("Sun"),
  "rating input": presses("Send", (form) => form.locator('label:has(input[value="9"])').click()),
  "ranking input": presses("Send"),
  "matrix input": presses("Send", (form) => form.locator("label.matrix-cell").first().click()),
  "address input": types("12 Main Street, Springfield"),
  "file input": async (form, _page, buffer) => {
    await form.locator("input[type=file]").first().setInputFiles({ name: "sea.png", mimeType: "image/png", buffer });
    await form.getByRole("button", { name: "Upload" }).click();
  },
  "signature input": presses("Sign", (form) => form.getByRole("textbox").fill("Ana")),
  cards: presses("Take it"),
  "payment input": async (form, page) => {
    await page
      .frameLocator("iframe[title='Secure payment input frame']")
      .getByLabel("Card number")
      .fill(cards.succeeds);
    await form.getByRole("button", { name: "Pay" }).click();
  },
  private: async (form, _page, buffer) => {
    const own = { name: "passport.png", mimeType: "image/png", buffer };
    await form.locator("input[type=file]").first().setInputFiles([own, letter]);
    await form.getByRole("button", { name: "Upload" }).click();
  },
  attached: async (form, page) => {
    await form.locator("textarea:visible, input[type=text]:visible").first().fill("With a letter");
    await form.locator("input[type=file]").first().setInputFiles(letter);
    await form.locator(".chosen-file").waitFor();
    await form.locator("textarea:visible, input[type=text]:visible").first().focus();
    await page.keyboard.press("Control+Enter");
  },
};

/** Serves other sites: pictures, videos, and a script of Cal.com in which the visitor books immediately. */
async function serveOthers(context: BrowserContext, picture: Buffer): Promise<void> {
  await context.route(
    (url) => /^https:$/.test(url.protocol),
    (route) => {
      const kind = route.request().resourceType();
      if (route.request().url().endsWith("/embed/embed.js"))
        return route.fulfill({ contentType: "text/javascript", body: bookAtOnce });
      if (kind === "script") return route.fulfill({ contentType: "text/javascript", body: widgets });
      if (kind === "image") return route.fulfill({ contentType: "image/png", body: picture });
      if (kind === "media") return route.fulfill({ status: 404, body: "" });
      return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Elsewhere</title>Elsewhere" });
    },
  );
}

/** The globals of Chatwoot's and Zendesk's scripts. */
const widgets = "window.chatwootSDK = { run() {} }; window.zE = () => {};";

const bookAtOnce = `const book = () => {
  const heard = window.Cal.q.find(([act, { action } = {}]) => act === "on" && action === "bookingSuccessful");
  if (!heard) return setTimeout(book, 20);
  heard[1].callback({ detail: { data: { date: "2026-12-01T10:00:00.000Z" } } });
};
book();`;

let provider: EveryProvider;
let host: AppHost;
let bot: PublishedBot;
let asking: readonly string[];

beforeAll(async () => {
  provider = await startEveryProvider();
  host = await openAppHost(provider.options);
  const connected = await provider.connect(host.api, { token: host.owner.token, workspaceId: host.workspaceId });
  const linked = await host.publish(flowOf([says("Linked")]));
  const made = everyType({ ...connected, linkedId: linked.botId, more });
  asking = [...made.replies.keys()];
  bot = await host.publish(made.flow);
});
afterAll(async () => {
  await host.close();
  await provider.close();
});

async function visit(page: Page, picture: Buffer): Promise<void> {
  await page.goto(bot.address);
  await page.locator("body.is-live").waitFor();
  const names = new Map(Object.keys(hands).map((name) => [idOf(name), name]));
  for (const id of asking) {
    const form = page.locator(`form:has(input[name="block"][value="${id}"])`);
    await form.waitFor();
    const hand = hands[names.get(id) ?? ""];
    if (!hand) throw new Error(`No visitor answers the block ${id}`);
    await hand(form, page, picture);
    if (names.get(id) === "payment input") await callBack(page);
  }
  await page.getByText("Grace was here").waitFor();
}

/** Calls the callback address that the chat has shown. The chat waits for this call. */
async function callBack(page: Page): Promise<void> {
  const shown = page.getByText("/api/v1/callbacks/");
  const token = /callbacks\/(\S+)/.exec((await shown.textContent()) ?? "")?.[1];
  await waitFor(async () => {
    const answer = await host.api.client.post(`/api/v1/callbacks/${token}`, { body: { name: "Grace" } });
    return answer.status < 300;
  });
}

inBrowser(
  "the transcript of a chat with every block type matches the chat page",
  async ({ page, context, problems }) => {
    const visitor = await context.newPage();
    await visitor.setContent('<body style="background: linear-gradient(45deg, #0f766e, #fde68a)">');
    const picture = await visitor.screenshot({ clip: { x: 0, y: 0, width: 320, height: 180 } });
    await serveOthers(context, picture);
    await serveStripeTo(context, provider.stripe);
    await visit(visitor, picture);
    const shown = withoutNotes(await shownIn(visitor));
    expect(shown.filter(({ by }) => by === "visitor")).toHaveLength(asking.length);
    await takeShots(visitor, "page");
    await visitor.close();

    const { client } = host.api;
    const { token } = host.owner;
    const results = await client.get(`/api/v1/bots/${bot.botId}/results`, { token, query: { timeFilter: "allTime" } });
    const resultId = results.text("results.0.id");
    const logs = await client.get(`/api/v1/bots/${bot.botId}/results/${resultId}/logs`, { token });
    expect(logs.list("logs").filter((entry) => Object(entry).status === "error")).toEqual([]);
    await host.signIn(context);
    await page.goto(`${host.builder}/bots/${bot.botId}/results/${resultId}`);
    const frame = page.frameLocator(".results-seen");
    await frame.getByText("Grace was here").waitFor();
    await frame.locator("math").first().waitFor();
    const told = await shownIn(frame);
    expect(withoutNotes(told)).toEqual([...shown]);

    // Each note appears right after the message that it followed on the page.
    const notes = told.flatMap(({ by, words }, index) => (by === "note" ? [[told[index - 1]?.words, words]] : []));
    expect(notes).toContainEqual(["Between two scripts", seen.ran({ name: seen.actions.scriptToExecute })]);
    const words = notes.map(([, note]) => note);
    for (const type of ["startPropsToInject", "listenForWebhook", "googleAnalytics", "pixel", "chatwoot"] as const)
      expect(words).toContain(seen.ran({ name: seen.actions[type] }));
    expect(words).toContain(seen.ran({ name: seen.actions.setVariable }));
    expect(words).toContain(seen.waited({ seconds: "1" }));
    expect(words).toContain(seen.skipped({ type: "hologram" }));
    expect(words.at(-1)).toBe(seen.redirected({ url: "https://www.example.com/picture.png" }));
    expect(await frame.locator("body").evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();

    await takeShots(page, "builder");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as HTML" }).click(),
    ]);
    const file = await context.newPage();
    await file.setContent(await Bun.file(await saved.path()).text());
    expect(await shownIn(file)).toEqual(told);
    await takeShots(file, "file");
    await file.close();

    const path = `/api/v1/bots/${bot.botId}/results/${resultId}/transcript`;
    const rich = await client.get(path, { token, query: { format: "rich" } });
    const texts = shown.filter(({ by, parts }) => by === "bot" && parts.some((part) => part.includes("text-bubble")));
    const messages = rich.list("chats.0.steps.*.messages").flat().map(Object);
    expect(texts.map(({ words: text }) => lettersIn(text))).toEqual(
      messages.filter(({ type }) => type === "text").map(({ content }) => lettersIn(content.plainText)),
    );

    // Private files can only be read with a token.
    const files = rich.list("chats.0.steps.*.files").flat().map(Object);
    const own = files.filter(({ url }) => String(url).includes(`/results/${resultId}/files/`));
    expect(own.map(({ name }) => name)).toEqual(["signature.png", "passport.png", "letter.txt", "letter.txt"]);
    for (const { url } of own) {
      const { pathname } = new URL(url);
      const ask = (headers = {}) => host.api.handle(new Request(`http://localhost${pathname}`, { headers }));
      expect((await ask()).status).toBe(401);
      expect((await ask({ Authorization: `Bearer ${token}` })).status).toBe(200);
    }

    await host.api.deps.sql`delete from files where result_id = ${resultId}`;
    await page.reload();
    await frame.getByText("Grace was here").waitFor();
    const removed = (await shownIn(frame)).filter((entry) => entry.words.includes(seen.removed));
    expect(removed.map(({ words: text, media }) => [text, media])).toEqual([
      [`${seen.removed} File (PNG)`, []],
      [`${seen.removed} File (PNG)`, []],
      [`${seen.removed} File (PNG) ${seen.removed} File (TXT)`, []],
      [`With a letter ${seen.removed} File (TXT)`, []],
    ]);
    await takeShots(page, "removed");
    expect(problems.filter((one) => !/404|401/.test(one))).toEqual([]);
  },
);

/** Keeps only letters and digits, because plain text separates words differently and prints the targets of links. */
function lettersIn(text: string): string {
  return text.replaceAll(/\(https?:[^)]*\)|[^\p{L}\p{N}]/gu, "");
}

async function takeShots(page: Page, name: string): Promise<void> {
  if (!shots) return;
  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: name !== "builder" });
    }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: "light" });
}
