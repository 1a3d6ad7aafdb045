import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../../src/limits/index.ts";
import { uploadedFiles } from "../../../src/management/files/uploads.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { noteOperation } from "../../support/contract.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { askToUpload, fileNameIn, put, upload } from "../../support/uploads.ts";

const folder = temporaryFolder();
let s3: S3Server;
let api: TestApi;
let inS3: TestApi;
let threads: Threads;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  s3 = startS3();
  const { bucket, endpoint, accessKeyId, secretAccessKey } = s3;
  api = await createTestApi({ threads, config: { DATA_DIR: folder.path } });
  inS3 = await createTestApi({
    threads,
    config: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await inS3.close();
  await s3.stop();
  folder.remove();
});

type Chat = { owner: TestUser; botId: string; publicId: string; sessionId: string; resultId: string };

async function chatAt(block: object, on = api): Promise<Chat> {
  const owner = await on.makeUser();
  const made = { token: owner.token, workspaceId: await on.makeWorkspace(owner) };
  const bot = await publish(on.client, made, flowOf([says("Please"), block, says("Thank you")]));
  const started = await start(on.client, bot.publicId);
  return { owner, ...bot, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

const fileInput = (options: object = {}) => asks("file input", options);
const read = (url: string, { headers = {}, method = "GET", on = api } = {}) =>
  on.handle(new Request(`http://localhost${new URL(url).pathname}`, { method, headers }));
const idIn = (url: string) => fileNameIn(url).slice(0, 26);
const pathOf = (url: string) => join(folder.path, "uploads", idIn(url).slice(-2), idIn(url));

async function cleanUp(on = api): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const task of uploadedFiles(on.deps.sql, on.deps.storage)) counts.push(await task.removeSome());
  return counts;
}

describe("a public file", () => {
  test.each([
    ["image/png", "image/png", "inline"],
    ["application/pdf", "application/pdf", "inline"],
    ["audio/webm", "audio/webm", "inline"],
    ["video/mp4", "video/mp4", "inline"],
    ["text/plain", "text/plain", "inline"],
    ["text/html", "application/octet-stream", "attachment"],
    ["image/svg+xml", "application/octet-stream", "attachment"],
    ["application/xml", "application/octet-stream", "attachment"],
    ["application/javascript", "application/octet-stream", "attachment"],
    ["application/xhtml+xml", "application/octet-stream", "attachment"],
    ["audio/x+xml", "application/octet-stream", "attachment"],
    ["no type at all", "application/octet-stream", "attachment"],
  ])("a public file that is uploaded as %s is served as %s, %s", async (fileType, type, disposition) => {
    const { sessionId } = await chatAt(fileInput());
    const url = await upload(api.client, sessionId, "<script>alert(1)</script>", { fileName: "a.html", fileType });

    const { status, headers } = await read(url);

    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("content-disposition")).toStartWith(`${disposition};`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
    expect(headers.get("content-security-policy")?.includes("sandbox")).toBe(type !== "application/pdf");
    expect(headers.get("cache-control")).toBe("public, max-age=86400, immutable");
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  test("a download of a public file keeps the special characters of its name", async () => {
    const { sessionId } = await chatAt(fileInput());
    const url = await upload(api.client, sessionId, "x", { fileName: 'é "50%"; x=(1).pdf' });

    expect((await read(url)).headers.get("content-disposition")).toBe(
      `inline; filename="_ _50__; x=(1).pdf"; filename*=UTF-8''%C3%A9%20%2250%25%22%3B%20x%3D%281%29.pdf`,
    );
  });

  test.each(["folder", "s3"] as const)(
    "a public file can be read in ranges, as media players do (%s)",
    async (storage) => {
      const on = storage === "s3" ? inS3 : api;
      const { sessionId } = await chatAt(fileInput(), on);
      const url = await upload(on.client, sessionId, "0123456789", { fileName: "a.mp3", fileType: "audio/mpeg" });
      const part = (range: string, headers = {}) => read(url, { headers: { Range: range, ...headers }, on });
      const partOf = async (range: string) => {
        const answer = await part(range);
        return [answer.status, answer.headers.get("content-range"), await answer.text()];
      };
      const tag = (await read(url, { on })).headers.get("etag") ?? "";

      expect(await partOf("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
      expect(await partOf("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
      expect(await partOf("bytes=8-100")).toEqual([206, "bytes 8-9/10", "89"]);
      expect(await partOf("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
      expect(await partOf("bytes=0-1,4-5")).toEqual([200, null, "0123456789"]);
      expect(await partOf("bytes=5-2")).toEqual([200, null, "0123456789"]);
      expect((await part("bytes=10-")).status).toBe(416);
      expect((await part("bytes=-0")).status).toBe(416);
      expect((await part("bytes=2-4", { "If-Range": tag })).status).toBe(206);
      expect((await part("bytes=2-4", { "If-Range": '"other"' })).status).toBe(200);
      expect((await read(url, { headers: { "If-None-Match": tag }, on })).status).toBe(304);
      const head = await read(url, { method: "HEAD", on });
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, tag, ""]);
    },
  );

  test("a public file is not found before its upload, or under another name", async () => {
    const { sessionId } = await chatAt(fileInput());
    const asked = await askToUpload(api.client, sessionId);
    const url = await upload(api.client, sessionId, "there");
    const names = ["nothing", `${idIn(url)}.png`, idIn(url), `${fileNameIn(url)}.pdf`, "..%2f..%2fetc%2fpasswd"];

    expect((await read(asked.text("fileUrl"))).status).toBe(404);
    for (const name of names) expect((await read(`http://localhost/api/files/${name}`)).status).toBe(404);
    expect(await (await read(`http://localhost/api/files/${names[0]}`)).json()).toMatchObject({
      code: "file.not_found",
    });
  });

  test("a public file is not found if the storage has lost it", async () => {
    const { sessionId } = await chatAt(fileInput());
    const url = await upload(api.client, sessionId, "lost");
    rmSync(pathOf(url));

    expect((await read(url)).status).toBe(404);
  });
});

describe("a private file", () => {
  test("a private file can be read only at its address, by authors with a token", async () => {
    const chat = await chatAt(fileInput({ visibility: "Private" }));
    const url = await upload(api.client, chat.sessionId, "secret", { fileName: "Lohn.pdf" });
    const stranger = await api.makeUser();
    const as = (token: string) => read(url, { headers: { Authorization: `Bearer ${token}` } });

    const answer = await as(chat.owner.token);
    noteOperation({ method: "GET", path: "/api/v1/bots/:botId/results/:resultId/files/:fileName" });

    expect(new URL(url).pathname).toBe(`/api/v1/bots/${chat.botId}/results/${chat.resultId}/files/${fileNameIn(url)}`);
    expect([answer.status, await answer.text()]).toEqual([200, "secret"]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect((await as(stranger.token)).status).toBe(404);
    expect((await read(url)).status).toBe(401);
    expect((await read(`http://localhost/api/files/${fileNameIn(url)}`)).status).toBe(404);
    expect((await say(api.client, chat.sessionId, url)).at("messages.0.content.plainText")).toBe("Thank you");
  });

  test("authors see a private file in the list of its result's files", async () => {
    const chat = await chatAt(asks("text input", { attachments: { isEnabled: true, visibility: "Private" } }));
    const url = await upload(api.client, chat.sessionId, "secret", { fileName: "Lohn.pdf" });
    await askToUpload(api.client, chat.sessionId);
    const path = `/api/v1/bots/${chat.botId}/results/${chat.resultId}/files`;
    const stranger = await api.makeUser();

    expect((await api.client.get(path, { token: chat.owner.token })).body).toEqual({
      files: [
        {
          id: idIn(url),
          createdAt: expect.any(String),
          blockId: idOf("asks text input"),
          name: "Lohn.pdf",
          type: "application/pdf",
          bytes: 6,
          isPublic: false,
          url,
        },
      ],
    });
    expect((await api.client.get(path, { token: stranger.token })).at("code")).toBe("bot.not_found");
  });

  test("a private file is not found under another result", async () => {
    const one = await chatAt(fileInput({ visibility: "Private" }));
    const other = await chatAt(fileInput({ visibility: "Private" }));
    const url = await upload(api.client, one.sessionId, "secret");
    const path = (chat: Chat) => `/api/v1/bots/${chat.botId}/results/${chat.resultId}/files/${fileNameIn(url)}`;
    const range = { Range: "bytes=6-" };

    expect((await api.client.get(path(other), { token: other.owner.token })).at("code")).toBe("file.not_found");
    expect((await api.client.get(path(one), { token: one.owner.token, headers: range })).at("code")).toBe(
      "file.range_invalid",
    );
  });
});

describe("a reply that references files", () => {
  const isAskedAgain = { messages: [{ content: { plainText: "Invalid message. Please, try again." } }] };

  test("the question is repeated if a reply references files of another chat", async () => {
    const { sessionId: elsewhere } = await chatAt(fileInput());
    const { sessionId } = await chatAt(fileInput({ isMultipleAllowed: true }));
    const foreign = await upload(api.client, elsewhere, "not yours");
    const own = await upload(api.client, sessionId, "yours");
    const pending = (await askToUpload(api.client, sessionId)).text("fileUrl");
    const spellings = [
      foreign,
      foreign.replace("http://localhost", "https://other-name.example:8080"),
      foreign.replace("/api/files", "/api/%66iles"),
      foreign.replace("/api/files/", "//api//files/"),
      `${foreign}?download=1`,
      pending,
      own.replace(".pdf", ".png"),
      `${own}, ${foreign}`,
    ];

    for (const text of spellings) expect((await say(api.client, sessionId, text)).body).toMatchObject(isAskedAgain);
    expect((await say(api.client, sessionId, { type: "audio", url: foreign })).body).toMatchObject(isAskedAgain);
    expect((await say(api.client, sessionId, own)).at("messages.0.content.plainText")).toBe("Thank you");
  });

  test("the question is repeated if a reply contains another chat's voice clip", async () => {
    const voice = asks("text input", { audioClip: { isEnabled: true } });
    const [elsewhere, { sessionId }] = [await chatAt(voice), await chatAt(voice)];
    const clip = { fileName: "clip.webm", fileType: "audio/webm" };
    const foreign = await upload(api.client, elsewhere.sessionId, "not yours", clip);
    const own = await upload(api.client, sessionId, "yours", clip);
    const saysClip = (url: string) => say(api.client, sessionId, { type: "audio", url });

    expect((await saysClip(foreign)).body).toMatchObject(isAskedAgain);
    expect((await saysClip(own)).at("messages.0.content.plainText")).toBe("Thank you");
  });

  test("a reply with addresses of other hosts is accepted", async () => {
    const { sessionId } = await chatAt(fileInput());

    expect((await say(api.client, sessionId, "https://messenger.example/files/1.pdf")).at("input")).toBeUndefined();
  });

  test("a reply that references files cannot contain other text", async () => {
    const { sessionId } = await chatAt(fileInput({ isMultipleAllowed: true }));
    const own = await upload(api.client, sessionId, "yours");

    expect((await say(api.client, sessionId, `${own}, and my passport`)).body).toMatchObject(isAskedAgain);
    const thanked = await say(api.client, sessionId, `${own}, https://messenger.example/files/1.pdf`);
    expect(thanked.at("messages.0.content.plainText")).toBe("Thank you");
  });

  test("an answer lists the files of its chat that it references", async () => {
    const other = await chatAt(fileInput());
    const chat = await chatAt(asks("text input", { attachments: { isEnabled: true } }));
    const foreign = await upload(api.client, other.sessionId, "not this chat's");
    const [said, attached] = [
      await upload(api.client, chat.sessionId, "a"),
      await upload(api.client, chat.sessionId, "b"),
    ];
    const elsewhere = "https://messenger.example/files/1.pdf";
    const text = [elsewhere, said, foreign].join(", ");
    await say(api.client, chat.sessionId, { type: "text", text, attachedFileUrls: [attached] });

    const answersIn = async (path: string) => (await api.client.get(path, { token: chat.owner.token })).body;
    const answer = { content: text, attachedFileUrls: [attached], storedFileUrls: [said, attached] };
    const results = `/api/v1/bots/${chat.botId}/results`;
    expect(await answersIn(results)).toMatchObject({ results: [{ answers: [answer] }] });
    expect(await answersIn(`${results}/${chat.resultId}`)).toMatchObject({ result: { answers: [answer] } });
    const { storedFileUrls: _, ...compatible } = answer;
    const compatibleBody = await answersIn(`/api/v1/typebots/${chat.botId}/results/${chat.resultId}`);
    expect(compatibleBody).toMatchObject({ result: { answers: [compatible] } });
    expect(JSON.stringify(compatibleBody)).not.toContain("storedFileUrls");
  });

  test("a reply can attach only files of its own chat", async () => {
    const block = asks("text input", { attachments: { isEnabled: true } });
    const { sessionId: elsewhere } = await chatAt(block);
    const { sessionId } = await chatAt(block);
    const foreign = await upload(api.client, elsewhere, "not yours");
    const own = await upload(api.client, sessionId, "yours");
    const along = (url: string) => ({ type: "text", text: foreign, attachedFileUrls: [url] });

    expect((await say(api.client, sessionId, along(foreign))).body).toMatchObject(isAskedAgain);
    expect((await say(api.client, sessionId, along(own))).at("messages.0.content.plainText")).toBe("Thank you");
  });

  test("the first message of a start cannot reference files of an earlier chat", async () => {
    const chat = await chatAt(fileInput());
    const foreign = await upload(api.client, chat.sessionId, "of an earlier chat");

    const started = await start(api.client, chat.publicId, { message: foreign });

    expect(started.at("input.type")).toBe("file input");
  });
});

describe("files that are no longer needed", () => {
  test.each(["folder", "s3"] as const)(
    "files that are no longer needed are removed from the storage after their result is erased (%s)",
    async (storage) => {
      const on = storage === "s3" ? inS3 : api;
      const { owner, botId, resultId, sessionId } = await chatAt(fileInput(), on);
      const url = await upload(on.client, sessionId, "erase me");
      await say(on.client, sessionId, url);
      const isKept = () =>
        storage === "s3" ? s3.objects.has(`${idIn(url).slice(-2)}/${idIn(url)}`) : existsSync(pathOf(url));

      const body = { resultIds: [resultId] };
      await on.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, body });
      expect((await read(url, { on })).status).toBe(404);
      await on.client.post(`/api/v1/bots/${botId}/results/restore`, { token: owner.token, body });
      expect((await read(url, { on })).status).toBe(200);
      await on.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, body });
      await on.client.post(`/api/v1/bots/${botId}/results/erase`, { token: owner.token, body });

      expect((await read(url, { on })).status).toBe(404);
      expect(isKept()).toBe(true);
      await cleanUp(on);
      expect(isKept()).toBe(false);
      expect(await on.deps.sql`select from files where id = ${idIn(url)}`).toHaveLength(0);
    },
  );

  test("unneeded files are removed later if the storage fails", async () => {
    const { owner, botId, sessionId } = await chatAt(fileInput(), inS3);
    const url = await upload(inS3.client, sessionId, "erase me");
    await inS3.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, body: { all: true } });
    await inS3.client.post(`/api/v1/bots/${botId}/results/erase`, { token: owner.token, body: { all: true } });
    const name = `${idIn(url).slice(-2)}/${idIn(url)}`;

    s3.fail(true);
    await expect(cleanUp(inS3)).rejects.toMatchObject({ code: "storage.unavailable" });
    s3.fail(false);
    await cleanUp(inS3);
    expect(s3.objects.has(name)).toBe(true);
    await inS3.deps.sql`update files set remove_after = clock() where id = ${idIn(url)}`;
    await cleanUp(inS3);

    expect(s3.objects.has(name)).toBe(false);
  });

  test("files that no answer uses are deleted after a day", async () => {
    const chat = await chatAt(fileInput());
    const unused = await upload(api.client, chat.sessionId, "unused");
    const answered = await upload(api.client, chat.sessionId, "answered");
    const asked = await askToUpload(api.client, chat.sessionId);
    await say(api.client, chat.sessionId, answered);
    const along = await chatAt(asks("text input", { attachments: { isEnabled: true } }));
    const attached = await upload(api.client, along.sessionId, "attached");
    await say(api.client, along.sessionId, { type: "text", text: "Look", attachedFileUrls: [attached] });
    const preview = await api.client.post(`/api/v1/bots/${chat.botId}/preview/startChat`, {
      token: chat.owner.token,
      body: {},
    });
    const tried = await upload(api.client, preview.text("sessionId"), "tried");
    await say(api.client, preview.text("sessionId"), tried);

    await cleanUp();
    for (const url of [unused, tried]) expect((await read(url)).status).toBe(200);
    await api.deps
      .sql`update files set created_at = clock() - make_interval(hours => ${limits.uploads.previewHours}, mins => 1)`;
    await cleanUp();
    for (const [url, status] of [
      [unused, 200],
      [tried, 404],
    ] as const)
      expect((await read(url)).status).toBe(status);
    await api.deps
      .sql`update files set created_at = clock() - make_interval(hours => ${limits.uploads.unansweredHours + 1})`;
    await cleanUp();

    expect((await read(unused)).status).toBe(404);
    expect(existsSync(pathOf(unused))).toBe(false);
    expect((await put(api.client, asked, "too late")).at("code")).toBe("upload.address_invalid");
    for (const url of [answered, attached]) expect((await read(url)).status).toBe(200);
    expect(await cleanUp()).toEqual([0, 0, 0, 0]);
  });

  test("a file is not kept if its result is erased during the upload", async () => {
    const { owner, botId, sessionId } = await chatAt(fileInput(), inS3);
    const asked = await askToUpload(inS3.client, sessionId);
    const kept = s3.objects.size;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await inS3.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, body: { all: true } });
        await inS3.client.post(`/api/v1/bots/${botId}/results/erase`, { token: owner.token, body: { all: true } });
        controller.enqueue(new Uint8Array(3));
        controller.close();
      },
    });

    expect((await put(inS3.client, asked, body)).at("code")).toBe("upload.address_invalid");
    await cleanUp(inS3);
    expect(s3.objects.size).toBe(kept);
  });
});
