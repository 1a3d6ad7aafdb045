import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Config } from "../../../src/config.ts";
import { openAddress } from "../../../src/management/files/open-addresses.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { failure } from "../../fake-channels/telegram.ts";
import { asks, flowOf } from "../../support/chat.ts";
import { type OutsideServer, startOutside } from "../../support/outside.ts";
import { type Contact, createOutboundWorld, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;
let outside: OutsideServer;

const megabyte = 1_048_576;
const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(64);
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const film = Buffer.from("\0\0\0\x18ftypisom", "latin1");

/** Files on another server, by path: the declared type, the first bytes, and the length. */
const files: Readonly<Record<string, readonly [type: string, head: Buffer, bytes?: number]>> = {
  "/tea.png": ["image/png", png(20, 20)],
  "/lie.png": ["image/png", Buffer.from("GIF89a")],
  "/unsaid.png": ["application/octet-stream", png(20, 20)],
  "/picture.webp": ["image/webp", Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1")],
  "/wide.png": ["image/png", png(9_000, 20)],
  "/large.png": ["image/png", png(20, 20), 7 * megabyte],
  "/film.mp4": ["video/mp4", film, 23 * megabyte],
  "/endless.mp4": ["video/mp4", film, 60 * megabyte],
  "/page.png": ["image/png", Buffer.from("<!DOCTYPE html><html>Sign in</html>")],
  "/empty.png": ["image/png", Buffer.alloc(0)],
};

beforeAll(async () => {
  outside = await startOutside(({ path }, response) => {
    const file = files[path];
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const [type, head, bytes = head.byteLength] = file;
    // The server does not send the length of `/endless.mp4`.
    const length = path === "/endless.mp4" ? {} : { "Content-Length": String(bytes) };
    response.writeHead(200, { "Content-Type": type, ...length });
    response.write(head);
    response.end(Buffer.alloc(bytes - head.byteLength));
  });
  world = await createOutboundWorld({ reach: (url) => url.replace("outside.example", "127.0.0.1") });
});
afterEach(async () => {
  await world.api.deps.sql`delete from channel_sendings`;
});
afterAll(async () => {
  await world.close();
  await outside.close();
});

type Bubble = { readonly type: "image" | "video" | "audio"; readonly url: string };
const shows = (...bubbles: readonly Bubble[]) =>
  flowOf([
    ...bubbles.map(({ type, url }, index) => ({
      ...{ id: `b${index}`, type },
      content: { url, ...(type === "video" && { type: "url" }) },
    })),
    asks("text input"),
  ]);
const picture = (path: string): Bubble => ({ type: "image", url: path.startsWith("/") ? outside.url(path) : path });

async function said(contact: Contact): Promise<string[]> {
  const { id } = contact;
  const states = await world.sendings(contact);
  expect({ id, states: states.map(({ state }) => state) }).toEqual({ id, states: states.map(() => "accepted") });
  return world.telegram.shown.filter(({ chat }) => chat === contact.address).map(({ method }) => method);
}

async function show(...bubbles: readonly Bubble[]) {
  const connectionId = await world.connect("telegram");
  const contact = await world.contact(connectionId, "telegram");
  const { resultId } = await world.begin(contact, shows(...bubbles));
  const { drain } = await world.hold(connectionId);
  const uploads = world.telegram.files.sent.length;
  await drain();
  return {
    contact,
    methods: await said(contact),
    sent: world.telegram.files.sent.slice(uploads),
    texts: world.telegram.shownTo(contact.address),
    logs: await world.logs(resultId),
  };
}

const simpler = "A message was sent in a simpler form";

describe("a picture on Telegram", () => {
  test("a picture on Telegram is sent by its file id the second time", async () => {
    const { methods, texts, logs, contact } = await show(picture("/tea.png"));
    expect([methods, texts, logs]).toEqual([["sendPhoto"], [outside.url("/tea.png")], []]);

    const requests = outside.requests.length;
    const [connection] = await world.api.deps.sql<{ id: string }[]>`
      select connection_id as id from channel_contacts where id = ${contact.id}`;
    const other = await world.contact(connection?.id ?? "", "telegram");
    await world.begin(other, shows(picture("/tea.png")));
    await (await world.hold(connection?.id ?? "")).drain();
    expect(world.telegram.shownTo(other.address)).toEqual([expect.stringMatching(/^F\d+-photo$/)]);
    expect(outside.requests).toHaveLength(requests);
  });

  test("a picture on Telegram is uploaded if its size is large or unknown", async () => {
    const { methods, sent } = await show(picture("/unsaid.png"), picture("/large.png"));
    expect(methods).toEqual(["sendPhoto", "sendPhoto"]);
    expect(sent.map(({ type, bytes, name }) => ({ type, bytes, name }))).toEqual([
      { type: "image/png", bytes: 64, name: "unsaid.png" },
      { type: "image/png", bytes: 7 * megabyte, name: "large.png" },
    ]);
  });

  test("the content of a picture determines how it is sent to Telegram", async () => {
    const { methods, sent } = await show(picture("/lie.png"), picture("/picture.webp"), picture("/wide.png"));
    expect(methods).toEqual(["sendAnimation", "sendDocument", "sendDocument"]);
    expect(sent.map(({ type }) => type)).toEqual(["image/gif", "image/webp", "image/png"]);
  });

  test("a picture on Telegram is sent as a link if it cannot be fetched", async () => {
    const inner = picture("http://10.0.0.5/tea.png");
    const { methods, texts, logs } = await show(
      picture("/page.png"),
      picture("/gone.png"),
      picture("/empty.png"),
      inner,
    );
    expect(methods).toEqual(["sendMessage", "sendMessage", "sendMessage", "sendMessage"]);
    expect(texts).toEqual([...["/page.png", "/gone.png", "/empty.png"].map((path) => outside.url(path)), inner.url]);
    expect(logs).toEqual([simpler, simpler, simpler, simpler]);
  });

  test("a picture on Telegram is uploaded if Telegram could not read its address", async () => {
    world.telegram.script({
      method: "sendPhoto",
      act: { kind: "answer", ...failure(400, "Bad Request: failed to get HTTP URL content") },
    });
    const { methods, sent, logs } = await show(picture("/tea.png"));
    expect([methods, sent.length, logs]).toEqual([["sendPhoto"], 1, []]);
    expect(sent[0]?.name).toBe("tea.png");
  });

  test("a picture on Telegram is sent by address if its file id is unknown", async () => {
    const connectionId = await world.connect("telegram");
    const contact = await world.contact(connectionId, "telegram");
    await world.begin(contact, shows(picture("/tea.png"), picture("/tea.png")));
    world.telegram.script({
      ...{ method: "sendPhoto", skip: 1 },
      act: { kind: "answer", ...failure(400, "Bad Request: wrong file identifier/HTTP URL specified") },
    });
    await (await world.hold(connectionId)).drain();

    expect(world.telegram.shownTo(contact.address)).toEqual([outside.url("/tea.png"), outside.url("/tea.png")]);
  });
});

describe("a video on Telegram", () => {
  test("a video on Telegram is uploaded at 23 MB, and sent as a link above 50 MB", async () => {
    const film = { type: "video", url: outside.url("/film.mp4") } as const;
    const { methods, sent, texts } = await show(film, { type: "video", url: outside.url("/endless.mp4") });
    expect(methods).toEqual(["sendVideo", "sendMessage"]);
    expect(sent.map(({ type, bytes }) => ({ type, bytes }))).toEqual([{ type: "video/mp4", bytes: 23 * megabyte }]);
    expect(texts.at(-1)).toBe(outside.url("/endless.mp4"));
    const left = await Array.fromAsync(new Bun.Glob("*").scan(world.api.deps.storage.arrivals));
    expect(left).toEqual([]);
  });
});

describe("a private file of a chat", () => {
  const origin = "http://localhost:3000";
  async function privateFile(chat: { readonly sessionId: string; readonly resultId: string }) {
    const { sql, storage } = world.api.deps;
    const id = newId(shardOf(chat.sessionId));
    const path = `${storage.arrivals}/${id}`;
    await Bun.write(path, png(20, 20));
    await storage.keep(id, { path, type: "image/png" });
    const [row] = await sql<{ botId: string }[]>`
      insert into files (
        shard, id, session_id, number, result_id, bot_id, block_id, name, extension, type, is_public, max_bytes, bytes, hash,
        url_expires_at, stored_at
      )
      select
        ${shardOf(id)}, ${id}, ${chat.sessionId}, 1, r.id, r.bot_id, 'b', 'mine.png', 'png', 'image/png', false, 64, 64,
        decode(repeat('00', 32), 'hex'), clock(), clock()
      from results r where r.id = ${chat.resultId}
      returning bot_id`;
    return `${origin}/api/v1/bots/${row?.botId}/results/${chat.resultId}/files/${id}.png`;
  }
  async function chatOf(channel: "telegram" | "webhook") {
    const connectionId = await world.connect(channel);
    const contact = await world.contact(connectionId, channel);
    const chat = await world.begin(contact, flowOf([asks("text input")]));
    const showFile = async (url: string, to = chat) => {
      await world.api.deps.sql`
        update steps set response = ${JSON.stringify({ messages: [{ id: "b", type: "image", content: { url } }] })}::text::json
        where session_id = ${to.sessionId}`;
      const { drain } = await world.hold(connectionId);
      await drain();
    };
    return { contact, chat, showFile };
  }

  test("a private file is uploaded to Telegram only for its own chat", async () => {
    const { contact, chat, showFile } = await chatOf("telegram");
    const uploads = world.telegram.files.sent.length;
    const url = await privateFile(chat);
    await showFile(url);
    expect(await said(contact)).toEqual(["sendPhoto"]);
    expect(world.telegram.files.sent.slice(uploads)).toMatchObject([{ name: "mine.png", bytes: 64 }]);

    const strange = await chatOf("telegram");
    await strange.showFile(url);
    expect(await said(strange.contact)).toEqual(["sendMessage"]);
    expect(world.telegram.files.sent.slice(uploads)).toHaveLength(1);
  });

  test("a private file's address sent to a custom program is valid for a month", async () => {
    const { contact, chat, showFile } = await chatOf("webhook");
    await showFile(await privateFile(chat));
    const address = world.webhook.shown.find((one) => one.chat === contact.address)?.body["url"];
    const url = new URL(String(address));
    expect(url.pathname).toMatch(/^\/api\/files\//);
    const open = (query: string, options: RequestInit = {}) =>
      world.api.handle(new Request(`${origin}${url.pathname}${query}`, options));
    const whole = await open(url.search);
    expect([whole.status, whole.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect((await open(url.search, { method: "HEAD" })).status).toBe(200);
    expect((await open("")).status).toBe(404);
    const until = Number(url.searchParams.get("until"));
    const later = url.search.replace(String(until), String(until + 1));
    expect((await open(later)).status).toBe(404);
    const days = (until - Date.now() / 1_000) / 86_400;
    expect(Math.round(days)).toBe(30);
  });

  test("the address of a private file returns 410 after a month", async () => {
    const { chat } = await chatOf("webhook");
    const name = (await privateFile(chat)).split("/").at(-1) ?? "";
    const { sql } = world.api.deps;
    const config: Pick<Config, "CHAT_URL" | "PUBLIC_URL"> = {};
    const old = await openAddress({ sql, config }, name, { origin, now: Date.now() - 31 * 86_400_000 });
    expect((await world.api.handle(new Request(old))).status).toBe(410);
  });
});
