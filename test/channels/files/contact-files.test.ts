import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "../../../src/core/interpreter/flow.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type FakeTelegram, startFakeTelegram } from "../../fake-channels/telegram.ts";
import type { FakeFile } from "../../fake-channels/telegram-files.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type OutsideServer, startOutside } from "../../support/outside.ts";
import { waitFor } from "../../support/wait.ts";
import { type Account, type ChannelWorld, createChannelWorld, partUpdate, textUpdate } from "../channel-world.ts";

let world: ChannelWorld;
let telegram: FakeTelegram;
let outside: OutsideServer;

const megabyte = 1_048_576;
const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02", "latin1");
const program = Buffer.from("MZ\x90\0this is no picture", "latin1");
const opus = Buffer.from(`OggS${"\0".repeat(24)}OpusHead`, "latin1");
const pdf = Buffer.from("%PDF-1.7 letter", "latin1");

beforeAll(async () => {
  telegram = await startFakeTelegram();
  outside = await startOutside((request, response) => {
    if (request.path === "/large") {
      response.end(Buffer.alloc(2 * megabyte));
      return;
    }
    response.writeHead(200, { "Content-Type": "application/pdf" });
    response.end(pdf);
  });
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url } });
});
beforeEach(async () => {
  await world.api.deps.sql`update channel_connections set deleted_at = clock() where channel = 'telegram'`;
});
afterAll(async () => {
  await world.close();
  await telegram.close();
  await outside.close();
});

const asked = ({ botId }: { readonly botId: string }) => ({ botId, isEnabled: true });
const saved = { variableId: idOf("Name") };
const asksFile = (options: object) =>
  flowOf([says("Hello"), asks("file input", { ...saved, ...options }), says("Got {{Name}}")]);

type Chat = {
  readonly account: Account;
  readonly botId: string;
  readonly resultId: string;
  /** Sends the file in the given part of a message, and waits until no message is waiting. */
  send(part: string, file: FakeFile, more?: object): Promise<void>;
};

async function begin(flow: object, settings: object = {}, id = 41): Promise<Chat> {
  const bot = await world.makeBot(flow);
  const account = await world.connectTelegram([asked(bot)], settings, telegram.token);
  await account.report(textUpdate(id, "/start"));
  await world.settled();
  const [result] = await world.api.deps.sql<{ id: string }[]>`select id from results where bot_id = ${bot.botId}`;
  return {
    account,
    botId: bot.botId,
    resultId: result?.id ?? "",
    async send(part, file, more = {}) {
      await account.report(partUpdate(id, { [part]: partOf(part, file), ...more }));
      await world.settled();
    },
  };
}

function partOf(part: string, file: FakeFile) {
  const { name, type, bytes } = file;
  const id = telegram.files.add(file);
  const one = { file_id: id, ...(name && { file_name: name }), ...(type && { mime_type: type }), file_size: bytes };
  return part === "photo" ? [{ ...one, file_id: "small" }, one] : one;
}

const fileOf = (head: Uint8Array, more: Partial<FakeFile> = {}): FakeFile => ({
  head,
  bytes: head.byteLength,
  ...more,
});
const reasons = async ({ account }: Chat) =>
  (await world.inbox(account.connectionId)).map(({ state, reason }) => reason ?? state).slice(1);
const answers = async ({ resultId }: Chat): Promise<{ content: string; attached: string[] }[]> => [
  ...(await world.api.deps.sql<{ content: string; attached: string[] }[]>`
    select content, attached_file_urls as attached from answers where result_id = ${resultId} order by position`),
];
const files = async ({ botId, resultId }: Chat) => {
  const { token } = world.owner;
  const answer = await world.api.client.get(`/api/v1/bots/${botId}/results/${resultId}/files`, { token });
  return answer
    .list("files")
    .map((file) => ({ name: textAt(file, "name"), type: textAt(file, "type"), url: textAt(file, "url") ?? "" }));
};
const notices = async ({ account }: Chat) => {
  const rows = await world.api.deps.sql<{ text: string }[]>`
    select message -> 'body' ->> 'text' as text from channel_sendings
    where connection_id = ${account.connectionId} and source = 'notice' order by sequence`;
  return rows.map(({ text }) => text);
};
const notArrived = "The file did not arrive. Please send it again.";

describe("a file of a contact", () => {
  test("a contact's file answers a file question", async () => {
    const chat = await begin(asksFile({}));
    await chat.send("document", fileOf(pdf, { name: "../../etc/letter.pdf", type: "application/pdf" }));

    const [stored] = await files(chat);
    expect(stored).toMatchObject({ name: "letter.pdf", type: "application/pdf" });
    expect(await answers(chat)).toEqual([{ content: stored?.url ?? "", attached: [stored?.url ?? ""] }]);
    expect(new URL(stored?.url ?? "").host).toBe("chat.example.com");
    const opened = await world.api.handle(new Request(`http://localhost${new URL(stored?.url ?? "").pathname}`));
    expect(await opened.text()).toBe("%PDF-1.7 letter");
    expect(await world.said(chat.account.connectionId, "41")).toEqual([`Hello | Got ${stored?.url}`]);
  });

  test("files that a contact sends in quick succession become one answer, in order", async () => {
    const chat = await begin(asksFile({ isMultipleAllowed: true }));
    const photos = ["a", "b"].map((name) => partOf("photo", fileOf(png, { name: `${name}.png` })));
    for (const photo of photos) await chat.account.report(partUpdate(41, { photo }));
    await world.settled();

    const urls = (await files(chat)).map(({ url }) => url).toReversed();
    expect(urls).toHaveLength(2);
    expect(await answers(chat)).toEqual([{ content: urls.join(", "), attached: urls }]);
    expect(await reasons(chat)).toEqual(["gathered", "done"]);
  });

  test("a photo keeps its caption, and a voice message is stored as an audio clip", async () => {
    const takes = { attachments: { isEnabled: true, visibility: "Private" }, audioClip: { isEnabled: true } };
    const chat = await begin(
      flowOf([
        asks("text input", takes),
        says("And?"),
        asks("text input", takes, { id: idOf("second") }),
        says("Thanks"),
      ]),
    );
    await chat.send("photo", fileOf(png), { caption: "My cat" });
    await chat.send("voice", fileOf(opus, { type: "audio/ogg" }));

    const [voice, photo] = await files(chat);
    expect(photo?.url).toContain(`/api/v1/bots/${chat.botId}/results/`);
    expect(voice?.url).toContain("/api/files/");
    expect((await answers(chat)).map(({ content }) => content)).toEqual(["My cat", voice?.url ?? ""]);
    expect((await answers(chat))[0]?.attached).toEqual([
      expect.stringContaining(photo?.url.split("/files/")[1] ?? "?"),
    ]);
  });

  test("a file that only claims to be a picture is rejected", async () => {
    const types = { allowedFileTypes: { isEnabled: true, types: ["image/*"] } };
    const chat = await begin(asksFile(types));
    await chat.send("document", fileOf(program, { name: "cat.png", type: "image/png" }));

    expect(await reasons(chat)).toEqual(["media_failed"]);
    expect(await notices(chat)).toEqual([notArrived]);
    await chat.send("document", fileOf(png, { name: "cat.exe", type: "application/x-msdownload" }));
    expect(await files(chat)).toEqual([expect.objectContaining({ name: "cat.exe", type: "image/png" })]);
    expect((await answers(chat))[0]?.content).toEndWith(".png");
    const [log] = await world.api.deps.sql`select details from logs where result_id = ${chat.resultId}`;
    expect(log).toEqual({ details: expect.stringContaining("not allowed") });
  });

  test("an executable file with a picture's name and an unknown type is rejected", async () => {
    const types = { allowedFileTypes: { isEnabled: true, types: ["image/*"] } };
    const chat = await begin(asksFile(types));
    await chat.send("document", fileOf(program, { name: "cat.png", type: "application/x-cat" }));

    expect(await reasons(chat)).toEqual(["media_failed"]);
    expect(await files(chat)).toEqual([]);
  });

  test("an extension is added to a file whose first bytes contradict its name", async () => {
    const chat = await begin(asksFile({ isMultipleAllowed: true }));
    const latin1 = (text: string) => Buffer.from(text, "latin1");
    const sent: [head: Uint8Array, name: string, type: string][] = [
      [png, "letter.pdf", "application/pdf"],
      [latin1("GIF89a<html><script>alert(1)</script>"), "page.html", "text/html"],
      [latin1("a,b\n1,2\n"), "table.pdf", "text/csv"],
      [latin1("PK\x03\x04rows"), "sheet.xlsx", "application/octet-stream"],
      [latin1("\xff\xd8\xff\xe0photo"), "photo.JPG", "image/jpeg"],
      [opus, "clip.oga", "audio/ogg"],
      [latin1("\0\0\0\x18ftypisom"), "film.m4v", "video/mp4"],
      [latin1("a,b\n1,2\n"), "table.csv", "text/csv"],
    ];
    for (const [head, name, type] of sent) {
      await chat.account.report(partUpdate(41, { document: partOf("document", fileOf(head, { name, type })) }));
    }
    await world.settled();

    expect((await files(chat)).map(({ name }) => name).toReversed()).toEqual([
      ...["letter.pdf.png", "page.html.gif", "table.pdf.bin"],
      ...["sheet.xlsx", "photo.JPG", "clip.oga", "film.m4v", "table.csv"],
    ]);
  });

  test("a contact's file above the size limit is not stored", async () => {
    const chat = await begin(asksFile({ sizeLimit: 1 }));
    let pieces = 0;
    const large = fileOf(pdf, { bytes: 18 * megabyte, onPiece: () => pieces++ });
    await chat.send("document", large);
    const unsaid = partOf("document", large);
    await chat.account.report(partUpdate(41, { document: { file_id: "file_id" in unsaid ? unsaid.file_id : "" } }));
    await world.settled();
    await chat.send("document", fileOf(pdf, { bytes: 21 * megabyte }));

    expect(await reasons(chat)).toEqual(["media_failed", "media_failed", "media_failed"]);
    expect(await notices(chat)).toEqual([notArrived, notArrived, notArrived]);
    expect(pieces).toBeLessThan(200);
    expect(await files(chat)).toEqual([]);
  });

  test("a 19 MB file is stored as it arrives, with less than 10 MB of it in memory", async () => {
    const chat = await begin(asksFile({ sizeLimit: 20 }));
    const folder = world.api.deps.storage.arrivals;
    let most = 0;
    const onPiece = (sent: number): void => {
      const stored = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
      most = Math.max(most, sent - stored);
    };
    await chat.send("video", fileOf(Buffer.from("\0\0\0\x18ftypisom", "latin1"), { bytes: 19 * megabyte, onPiece }));

    expect(await files(chat)).toEqual([expect.objectContaining({ name: "video.mp4", type: "video/mp4" })]);
    // The limit is generous, because buffers of the operating system and of the stream store part of the data.
    expect(most).toBeLessThan(10 * megabyte);
  });

  test("a contact's file is not downloaded from a path outside the bot's files", async () => {
    const chat = await begin(asksFile({}));
    await chat.send("document", fileOf(pdf, { path: "documents/../../secrets" }));
    await chat.send("document", fileOf(pdf, { path: "/var/lib/telegram/file" }));

    expect(await reasons(chat)).toEqual(["media_failed", "media_failed"]);
  });

  test("a file download's redirect never sends the token to another server", async () => {
    const chat = await begin(asksFile({}));
    const before = outside.requests.length;
    await chat.send("document", fileOf(pdf, { redirect: outside.url(`/x?token=${telegram.token}`, "files.example") }));
    expect(outside.requests).toHaveLength(before);
    await chat.send("document", fileOf(pdf, { name: "a.pdf", redirect: outside.url("/letter", "files.example") }));

    expect(await reasons(chat)).toEqual(["media_failed", "done"]);
    expect(outside.requests.slice(before).map(({ path }) => path)).toEqual(["/letter"]);
    expect(JSON.stringify(outside.requests.slice(before))).not.toContain(telegram.token);
  });

  test("a new link is requested if the link to a contact's file has expired", async () => {
    const chat = await begin(asksFile({}));
    let refusals = 1;
    const before = telegram.calls.filter(({ method }) => method === "getFile").length;
    await chat.send("document", fileOf(pdf, { isExpired: () => refusals-- > 0 }));

    expect(await reasons(chat)).toEqual(["done"]);
    expect(telegram.calls.filter(({ method }) => method === "getFile").length - before).toBe(2);
  });

  test("an unrequested file is downloaded only if the connection keeps files", async () => {
    const choice = flowOf([
      says("Tea?"),
      { ...asks("choice input", saved), items: [{ id: idOf("Tea"), content: "Tea" }] },
      says("Fine"),
    ]);
    const before = telegram.calls.filter(({ method }) => method === "getFile").length;
    const plain = await begin(choice);
    await plain.send("photo", fileOf(png));
    expect(telegram.calls.filter(({ method }) => method === "getFile")).toHaveLength(before);
    expect(await files(plain)).toEqual([]);

    await world.api.deps.sql`update channel_connections set deleted_at = clock() where channel = 'telegram'`;
    const keeping = await begin(choice, { keepMedia: true }, 42);
    await keeping.send("photo", fileOf(png), { caption: "Tea" });
    const [kept] = await files(keeping);
    expect(kept?.url).toContain("/results/");
    expect(await world.said(keeping.account.connectionId, "42")).toEqual(["Tea? | Fine"]);
  });
});

describe("a file from a custom program", () => {
  const send = async (url: string, size = 1) => {
    const bot = await world.makeBot(asksFile({ sizeLimit: size }));
    const own = await world.connectWebhook([asked(bot)]);
    await own.write("ana", "Hi");
    await world.settled();
    await own.post({ id: newId(), contact: { id: "ana" }, message: { file: { url, name: "letter.pdf" } } });
    await waitFor(async () => (await world.inbox(own.connectionId)).length === 2);
    await world.settled();
    return (await world.inbox(own.connectionId)).map(({ state, reason }) => reason ?? state).at(-1);
  };

  test("a custom program's file needs a public address and an allowed size", async () => {
    expect(await send(outside.url("/letter", "files.example"))).toBe("done");
    expect(await send("http://10.0.0.5/letter")).toBe("media_failed");
    expect(await send(outside.url("/large", "files.example"))).toBe("media_failed");
  });
});
