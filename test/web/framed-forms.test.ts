import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPageWords } from "../../src/management/access/page-words.ts";
import { nameAndEmail } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";

// Forms of pages in frames, whose sandbox removes their origin. Forms of this service are accepted, and forms of other
// sites are rejected.

let host: ChatHost;

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

test("a form of a sandboxed frame requires the token of its bot", async () => {
  const bot = await host.publish(nameAndEmail);
  const other = await host.publish(nameAndEmail);
  const inFrame = { Accept: "text/html", "Sec-Fetch-Dest": "iframe" };
  const queryOf = async (address: string, headers: Readonly<Record<string, string>>) =>
    /action="[^"]*(\?parley-page=[\w.-]+)#/.exec(await (await fetch(address, { headers })).text())?.[1] ?? "";
  const word = await queryOf(bot.address, inFrame);
  const post = async (query: string, headers: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ key: crypto.randomUUID(), block: "", prefilled: "{}" });
    const sent = { "Sec-Fetch-Site": "cross-site", Origin: "null", ...inFrame, ...headers };
    return (await fetch(bot.address + query, { method: "POST", headers: sent, body, redirect: "manual" })).status;
  };

  expect(word).not.toBe("");
  expect(await post(word, {})).toBe(200);
  expect(await post("", {})).toBe(303);
  expect(await post(`${word}x`, {})).toBe(303);
  expect(await post(word, { Origin: "https://evil.example" })).toBe(303);
  // A top-level page at the service's own address would look like the page that the visitor has opened.
  expect(await post(word, { "Sec-Fetch-Dest": "document" })).toBe(303);
  expect(await post(await queryOf(other.address, inFrame), {})).toBe(303);
  expect(await queryOf(bot.address, { "Sec-Fetch-Dest": "document" })).toBe("");
});

test("a form token does not permit API calls", async () => {
  const security = { allowedOrigins: ["https://shop.example"] };
  const { publicId } = await host.publish({ ...nameAndEmail, settings: { security } });
  const { pageWords } = host.api.deps;
  const word = await pageWords.make(security.allowedOrigins, publicId);
  expect([
    pageWords.isOurs(word, security.allowedOrigins, publicId),
    pageWords.isOurs(word, null, publicId),
    pageWords.isOurs(word, security.allowedOrigins),
  ]).toEqual([true, false, false]);

  const headers = { "Content-Type": "application/json", Origin: "null", "X-Parley-Page": word };
  const started = await fetch(`${host.origin}/api/v1/bots/${publicId}/startChat`, {
    method: "POST",
    headers,
    body: "{}",
  });
  expect(started.status).toBe(403);
});

test("a page's token expires after 24 hours", async () => {
  let now = 0;
  const words = createPageWords(host.api.deps.sql, () => now);
  const allowed = ["https://shop.example"];
  const word = await words.make(allowed);
  expect([words.isOurs(word, allowed), words.isOurs(word, null), words.isOurs(`${word}x`, allowed)]).toEqual([
    true,
    false,
    false,
  ]);
  const unopened = createPageWords(host.api.deps.sql, () => now);
  expect(unopened.isOurs(word, allowed)).toBe(false);
  await unopened.open();
  expect(unopened.isOurs(word, allowed)).toBe(true);
  now = 24 * 60 * 60_000;
  expect(words.isOurs(word, allowed)).toBe(false);
});

test("without Sec-Fetch-Dest, the referrer decides whether a page is framed", async () => {
  const { address } = await host.publish(nameAndEmail);
  const isTold = async (headers: Readonly<Record<string, string>>) =>
    (await (await fetch(address, { headers })).text()).includes("sandbox: allow-forms");

  expect(await isTold({ Referer: "https://shop.example/page" })).toBe(true);
  expect(await isTold({ Referer: address })).toBe(false);
  expect(await isTold({})).toBe(false);
  expect(await isTold({ Referer: "https://shop.example/page", "Sec-Fetch-Dest": "document" })).toBe(false);
});
