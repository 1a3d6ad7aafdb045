import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../support/chat.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { visitor } from "../support/web-page.ts";

// A visitor's text must reach a service unchanged, in any body and at any position in it.

let outside: OutsideServer;
let host: ChatHost;
let site: OtherSite;
let bot: PublishedBot;
const inBrowser = browserTests();

const said = 'Ann "A." <b> & co; über, 100%';
const encoded = encodeURIComponent(said);
const json = JSON.stringify(said);

/** Each kind of body with its type, as the author wrote it and as it must arrive. */
const bodies: readonly (readonly [type: string | undefined, written: string, arrives: string])[] = [
  [undefined, '{"name":"{{Name}}"}', `{"name":${json}}`],
  ["application/json", '["{{Name}}"]', `[${json}]`],
  ["application/vnd.api+json", '"{{Name}}"', json],
  ["text/plain", '{"name":"{{Name}}"}', `{"name":${json}}`],
  ["application/x-www-form-urlencoded", '{"name":"{{Name}}"}', `name=${encoded.replaceAll("%20", "+")}`],
  ["application/x-www-form-urlencoded", "name={{Name}}", `name=${encoded}`],
  ["application/xml", "<n>{{Name}}</n>", "<n>Ann &quot;A.&quot; &lt;b&gt; &amp; co; über, 100%</n>"],
  ["text/csv", "{{Name}},1", '"Ann ""A."" <b> & co; über, 100%",1'],
  ["application/x-ndjson", '{"a":"{{Name}}"}\n{"b":1}', `{"a":${json}}\n{"b":1}`],
  ["text/plain", "note: {{Name}}", `note: ${said}`],
  ["text/html", "<p>{{Name}}</p>", `<p>${said}</p>`],
  ["application/json", "{{Name}}", said],
];

function call([type, body]: (typeof bodies)[number], index: number): object {
  const headers = type === undefined ? [] : [{ id: "h", key: "Content-Type", value: type }];
  const webhook = { url: outside.url(`/${index}`), method: "POST", body, headers };
  return { id: `call${index}`, type: "Webhook", options: { isCustomBody: true, webhook } };
}

beforeAll(async () => {
  outside = await startOutside((_, response) => response.end("{}"));
  host = await openChatHost({ safeFetch: outsideFetch() });
  site = openOtherSite();
  const ask = { ...asks("text input", { variableId: idOf("Name") }), id: "name" };
  bot = await host.publish({
    ...flowOf([says("Name?"), ask, ...bodies.map(call), says("Sent.")]),
    settings: { typingEmulation: { enabled: false } },
  });
});
afterAll(async () => {
  await site.close();
  await host.close();
  await outside.close();
});

/** Runs a chat through one of the entry points, and expects each body to arrive unchanged. */
async function expectBodies(chat: () => Promise<unknown>): Promise<void> {
  const before = outside.requests.length;
  await chat();
  const arrived = outside.requests
    .slice(before)
    .toSorted((one, other) => Number(one.path.slice(1)) - Number(other.path.slice(1)));
  expect(arrived.map(({ body }) => body)).toEqual(bodies.map(([, , arrives]) => arrives));
  for (const [index, [type]] of bodies.entries())
    if (type !== undefined) expect(String(arrived[index]?.headers["content-type"])).toStartWith(type);
}

async function answerIn(chat: Locator): Promise<void> {
  await chat.getByRole("textbox").fill(said);
  await chat.getByRole("textbox").press("Enter");
  await chat.getByText("Sent.").waitFor();
}

test("an answer given through the API is escaped correctly in request bodies", () =>
  expectBodies(async () => {
    const { client } = host.api;
    const started = await start(client, bot.publicId);
    expect((await say(client, started.text("sessionId"), said)).at("messages.*.content.plainText")).toEqual(["Sent."]);
  }));

test("an answer given without scripts is escaped correctly in request bodies", () =>
  expectBodies(async () => {
    const browser = visitor(host.api);
    const page = await browser.visit(`/${bot.publicId}`);
    expect((await browser.post(page, { text: said })).said).toContain("bot: Sent.");
  }));

inBrowser("an answer given on the chat page is escaped correctly in request bodies", ({ page }) =>
  expectBodies(async () => {
    await page.goto(bot.address);
    await page.locator("body.is-live form").waitFor();
    await answerIn(page.locator("body"));
  }),
);

inBrowser("an answer given in an embedded chat is escaped correctly in request bodies", ({ page }) =>
  expectBodies(async () => {
    const head = `<script src="${host.origin}/embed.js" defer></script>`;
    await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head }));
    await answerIn(page.locator("parley-chat"));
  }),
);
