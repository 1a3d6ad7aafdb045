import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { shardOf } from "../../../src/platform/ids.ts";
import { createApp } from "../../../src/service/app.ts";
import { shareUploads } from "../../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Answer, type Client, createClient } from "../../support/client.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { askToUpload, fileNameIn, put, upload } from "../../support/uploads.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

const folder = temporaryFolder();
let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: Bun.Server<undefined>;
let client: Client;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { DATA_DIR: folder.path } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const app = createApp(api.deps);
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: (limits.uploads.fileMegabytes + 1) * 1024 * 1024,
    fetch: (request) => app.fetch(request),
  });
  client = createClient({ baseUrl: server.url.origin });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
  folder.remove();
});

const bots = new Map<string, { botId: string; publicId: string }>();

/** Starts a chat that waits at the given block. Each bot is published only once. */
async function chatAt(block: object, more: object = {}): Promise<string> {
  return (await startedAt(block, more)).text("sessionId");
}

async function startedAt(block: object, more: object = {}): Promise<Answer> {
  const key = JSON.stringify([block, more]);
  const flow = { ...flowOf([says("Please"), block, says("Thank you")]), ...more };
  const bot = bots.get(key) ?? (await publish(api.client, { token: owner.token, workspaceId }, flow));
  bots.set(key, bot);
  return start(client, bot.publicId);
}

const fileInput = (options: object = {}) => asks("file input", options);

const filesOf = async (sessionId: string) =>
  api.deps.sql<{ bytes: number | null }[]>`
    select bytes from files where shard = ${shardOf(sessionId)} and session_id = ${sessionId}`;

function chunksOf(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const piece = new Uint8Array(64 * 1024);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= size) return controller.close();
      const part = piece.slice(0, Math.min(piece.length, size - sent));
      sent += part.length;
      controller.enqueue(part);
    },
  });
}

describe("an upload request", () => {
  test("an upload request returns the addresses of the upload and the file", async () => {
    const asked = await askToUpload(client, await chatAt(fileInput()), { fileSize: 1_000 });

    expect(asked.body).toEqual({
      presignedUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/uploads\/[a-z0-9]{26}\.[\w-]{43}$/),
      fileUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/files\/[a-z0-9]{26}\.pdf$/),
      formData: {},
      fileType: "application/pdf",
      maxFileSize: 10,
    });
  });

  test("an upload request uses the configured base address", async () => {
    const other = await createTestApi({
      threads,
      config: { PUBLIC_URL: "https://bots.example.com/", CHAT_URL: "https://chat.example.com", UPLOAD_MAX_MB: 2 },
    });
    const user = await other.makeUser();
    const owned = { token: user.token, workspaceId: await other.makeWorkspace(user) };
    const open = await publish(other.client, owned, flowOf([fileInput()]));
    const shut = await publish(other.client, owned, flowOf([fileInput({ visibility: "Private" })]));
    const startedOpen = await start(other.client, open.publicId);
    const startedShut = await start(other.client, shut.publicId);

    const askedOpen = await askToUpload(other.client, startedOpen.text("sessionId"));
    const askedShut = await askToUpload(other.client, startedShut.text("sessionId"));
    await other.close();

    expect(askedOpen.at("maxFileSize")).toBe(2);
    expect(askedOpen.text("presignedUrl")).toStartWith("https://chat.example.com/api/uploads/");
    expect(askedOpen.text("fileUrl")).toStartWith("https://chat.example.com/api/files/");
    expect(askedShut.text("fileUrl")).toStartWith(
      `https://bots.example.com/api/v1/bots/${shut.botId}/results/${startedShut.text("resultId")}/files/`,
    );
  });

  test("preflight responses allow pages of other origins to upload files", async () => {
    const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "PUT" };
    const asking = await client.send("OPTIONS", "/api/v3/generate-upload-url", { headers });
    const uploading = await client.send("OPTIONS", "/api/uploads/any", { headers });

    expect(asking.headers.get("access-control-allow-methods")).toContain("POST");
    expect(uploading.status).toBe(204);
    expect(uploading.headers.get("access-control-allow-origin")).toBe("*");
    expect(uploading.headers.get("access-control-allow-methods")).toContain("PUT");
    for (const name of ["content-type", "cache-control"])
      expect(uploading.headers.get("access-control-allow-headers")?.split(", ")).toContain(name);
  });

  test.each([
    ["a file input", fileInput(), 200],
    ["a text input with attachments", asks("text input", { attachments: { isEnabled: true } }), 200],
    ["a text input with voice clips", asks("text input", { audioClip: { isEnabled: true } }), 200],
    ["a text input without attachments or clips", asks("text input", { attachments: { isEnabled: false } }), 400],
    ["an e-mail input", asks("email input"), 400],
    ["a block that waits for an external call", { id: "listen", type: "webhook" }, 400],
  ])("an upload request is accepted only at blocks that accept files: %s", async (_, block, status) => {
    const asked = await askToUpload(client, await chatAt(block));

    expect(asked.status).toBe(status);
    if (status === 400) expect(asked.body).toMatchObject({ code: "upload.not_expected" });
  });

  test("a file input in a linked flow stores its upload in the linked bot's result", async () => {
    const owned = { token: owner.token, workspaceId };
    const inner = await publish(api.client, owned, flowOf([fileInput({ sizeLimit: 3 })]));
    const link = { id: "link", type: "Typebot link", options: { typebotId: inner.botId, mergeResults: false } };
    const outer = await publish(api.client, owned, flowOf([link, asks("text input")]));
    const started = await start(client, outer.publicId);
    const fileUrl = await upload(client, started.text("sessionId"), "inner");

    const next = await say(client, started.text("sessionId"), fileUrl);
    const results = await api.client.get(`/api/v1/bots/${inner.botId}/results`, { token: owner.token });
    const files = await client.get(`/api/v1/bots/${inner.botId}/results/${results.text("results.0.id")}/files`, {
      token: owner.token,
    });

    expect(next.at("input.type")).toBe("text input");
    expect(files.at("files.*.url")).toEqual([fileUrl]);
  });

  test("a chat's history contains only the names of the chat's own files", async () => {
    const flow = flowOf([fileInput(), asks("text input"), asks("text input", {}, { id: "more" })]);
    const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const [mine, other] = [await start(client, publicId), await start(client, publicId)];
    const theirs = await upload(client, other.text("sessionId"), "theirs", { fileName: "Their secret.pdf" });
    const sessionId = mine.text("sessionId");
    const own = await upload(client, sessionId, "mine", { fileName: "Für Öl 1.pdf" });
    await say(client, sessionId, own);
    await say(client, sessionId, `${theirs}, ${own}`);

    const read = await client.get(`/api/v1/sessions/${sessionId}`);

    const named = { url: own, name: "Für Öl 1.pdf" };
    expect([0, 1, 2].map((index) => read.at(`session.steps.${index}.files`))).toEqual([undefined, [named], [named]]);
    expect(JSON.stringify(read.body)).not.toContain("Their secret");
  });

  test.each([
    ["of the allowed types", { types: [".pdf"] }, {}, 200],
    ["of an allowed kind", { types: ["image/*"] }, { fileName: "a.png", fileType: "image/png" }, 200],
    ["with an extension that has no known type", { types: ["csv"] }, { fileName: "A.CSV", fileType: "text/csv" }, 200],
    ["without a type but with an allowed extension", { types: [".heic"] }, { fileName: "a.heic", fileType: "" }, 200],
    ["of another type", { types: ["image/*"] }, {}, 400],
    ["whose extension contradicts its type", { types: [".png"] }, { fileName: "a.png" }, 400],
    ["without a type and an extension", { types: ["image/*"] }, { fileName: "file", fileType: "" }, 400],
  ])("an upload request is checked against the allowed types for a file %s", async (_, allowed, file, status) => {
    const sessionId = await chatAt(fileInput({ allowedFileTypes: { isEnabled: true, ...allowed } }));
    const asked = await askToUpload(client, sessionId, file);

    expect(asked.status).toBe(status);
    if (status === 400) {
      expect(asked.at("code")).toBe("upload.type_not_allowed");
      expect(asked.text("message")).toMatch(/^File type .+ not allowed$/);
    } else {
      await put(client, asked, "content");
      expect((await say(client, sessionId, asked.text("fileUrl"))).at("input")).toBeUndefined();
    }
  });

  test("an upload request is rejected for a file above its block's limit", async () => {
    const small = await chatAt(fileInput({ sizeLimit: 0.5 }));
    const large = await chatAt(fileInput({ sizeLimit: 100_000 }));
    const none = await chatAt(fileInput({ sizeLimit: 0 }));

    expect((await askToUpload(client, small, { fileSize: 512 * 1024 })).at("maxFileSize")).toBe(0.5);
    expect((await askToUpload(client, large)).at("maxFileSize")).toBe(limits.uploads.fileMegabytes);
    expect(await askToUpload(client, small, { fileSize: 512 * 1024 + 1 })).toMatchObject({
      status: 400,
      body: { code: "upload.size_not_allowed", message: "File size exceeds the 0.5MB limit" },
    });
    expect((await askToUpload(client, none, { fileSize: 1 })).at("code")).toBe("upload.size_not_allowed");
  });

  test("an upload request requires an open chat", async () => {
    const ended = await chatAt(fileInput());
    await say(client, ended, "https://example.com/a.pdf");
    const expired = await chatAt(fileInput());
    await api.deps.sql`update sessions set expires_at = clock() where shard = ${shardOf(expired)} and id = ${expired}`;

    expect((await askToUpload(client, ended)).at("code")).toBe("session.ended");
    expect((await askToUpload(client, expired)).at("code")).toBe("session.expired");
    expect((await askToUpload(client, "01m7wf8v32x7w29z2tsw3wwqgq")).at("code")).toBe("session.not_found");
    expect((await askToUpload(client, "../sessions")).at("code")).toBe("session.not_found");
    expect((await client.post("/api/v3/generate-upload-url", { body: {} })).at("code")).toBe("request.invalid");
  });

  test("an upload request is rejected for a foreign origin or a suspended workspace", async () => {
    const user = await api.makeUser();
    const other = await api.makeWorkspace(user);
    const settings = { security: { allowedOrigins: ["https://shop.example"] } };
    const flow = { ...flowOf([fileInput()]), settings };
    const bot = await publish(api.client, { token: user.token, workspaceId: other }, flow);
    const sessionId = (await start(client, bot.publicId)).text("sessionId");
    const ask = (origin: string) =>
      client.post("/api/v3/generate-upload-url", {
        body: { sessionId, blockId: "b", fileName: "a.pdf" },
        headers: { Origin: origin },
      });

    expect((await ask("https://shop.example")).status).toBe(200);
    expect((await ask("https://elsewhere.example")).at("code")).toBe("origin.not_allowed");
    await api.deps.sql`
      update sessions set state = '{"format":1000}' where shard = ${shardOf(sessionId)} and id = ${sessionId}`;
    expect((await ask("https://shop.example")).at("code")).toBe("server.newer_state");
    await api.deps.sql`update workspaces set is_suspended = true where id = ${other}`;
    expect((await ask("https://shop.example")).at("code")).toBe("workspace.suspended");
  });

  test("an upload request is rejected for previews without an author", async () => {
    const flow = flowOf([fileInput({ visibility: "Private" })]);
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const preview = (options: object) => client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, options);
    const anonymous = await preview({ body: { bot: flow } });
    const authors = await preview({ token: owner.token, body: {} });

    expect((await askToUpload(client, anonymous.text("sessionId"))).at("code")).toBe("upload.not_in_preview");
    const fileUrl = await upload(client, authors.text("sessionId"), "preview");
    expect(await (await fetch(fileUrl)).text()).toBe("preview");
  });

  test("a chat's upload requests are limited in bytes and in number", async () => {
    const many = await chatAt(fileInput());
    for (let count = 0; count < limits.uploads.filesPerSession - 5; count++)
      await askToUpload(client, many, { fileSize: 1 });
    const racing = await Promise.all(Array.from({ length: 9 }, () => askToUpload(client, many, { fileSize: 1 })));
    const large = await chatAt(fileInput({ sizeLimit: 100 }));
    const sizes: unknown[] = [];
    for (let count = 0; count < 6; count++) sizes.push((await askToUpload(client, large)).at("code"));

    expect(racing.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(racing.filter((asked) => asked.at("code") === "upload.too_many")).toHaveLength(4);
    expect(sizes).toEqual([undefined, undefined, undefined, undefined, undefined, "upload.too_many"]);
    await api.deps.sql`update files set url_expires_at = clock() where session_id = ${large}`;
    expect((await askToUpload(client, large)).status).toBe(200);
  });
});

describe("an upload", () => {
  test("two uploads are sent as one answer, and both files can be downloaded", async () => {
    const started = await startedAt(fileInput({ isMultipleAllowed: true, variableId: idOf("Name") }));
    const sessionId = started.text("sessionId");
    const urls = [
      await upload(client, sessionId, "first"),
      await upload(client, sessionId, "second", { fileName: "é ü.PNG", fileType: "image/png" }),
    ];
    const message = { type: "text", text: urls.join(", "), attachedFileUrls: urls };

    const said = await say(client, sessionId, message);

    expect(said.at("messages.0.content.plainText")).toBe("Thank you");
    const bot = bots.get(JSON.stringify([fileInput({ isMultipleAllowed: true, variableId: idOf("Name") }), {}]));
    const result = await api.client.get(`/api/v1/bots/${bot?.botId}/results/${started.text("resultId")}`, {
      token: owner.token,
    });
    expect(result.at("result.answers.0")).toMatchObject({ content: urls.join(", "), attachedFileUrls: urls });
    expect(await Promise.all(urls.map(async (url) => (await fetch(url)).text()))).toEqual(["first", "second"]);
    expect(urls[1]).toEndWith(".png");
  });

  test("an upload of 90 MB in chunks is accepted", async () => {
    const asked = await askToUpload(client, await chatAt(fileInput({ sizeLimit: 100 })));
    const stored = await put(client, asked, chunksOf(90 * 1024 * 1024));

    expect(stored.body).toEqual({ bytes: 90 * 1024 * 1024 });
    const answer = await fetch(asked.text("fileUrl"));
    expect((await answer.bytes()).length).toBe(90 * 1024 * 1024);
  }, 30_000);

  test("an upload above the maximum size is rejected", async () => {
    const sessionId = await chatAt(fileInput({ sizeLimit: 0.5 }));
    const asked = await askToUpload(client, sessionId);
    const declared = await askToUpload(client, sessionId, { fileSize: 3 });
    const tooLarge = { status: 413, body: { code: "request.too_large", data: { maxBytes: 512 * 1024 } } };

    expect(await put(client, asked, new Uint8Array(512 * 1024 + 1))).toMatchObject(tooLarge);
    expect(await put(client, asked, chunksOf(512 * 1024 + 1))).toMatchObject(tooLarge);
    expect((await put(client, declared, "more")).at("code")).toBe("request.too_large");
    expect((await filesOf(sessionId)).every(({ bytes }) => bytes === null)).toBe(true);
    expect((await fetch(asked.text("fileUrl"))).status).toBe(404);
    expect((await put(client, asked, chunksOf(512 * 1024))).body).toEqual({ bytes: 512 * 1024 });
  });

  test("an upload is rejected if it is empty or has a forbidden type", async () => {
    const asked = await askToUpload(client, await chatAt(fileInput()));

    expect((await put(client, asked, "")).at("code")).toBe("upload.empty");
    expect((await put(client, asked, chunksOf(0))).at("code")).toBe("upload.empty");
    expect(await put(client, asked, "<html>", { "Content-Type": "text/html" })).toMatchObject({
      status: 400,
      body: { code: "upload.type_not_allowed", message: "File type text/html not allowed" },
    });
    expect((await put(client, asked, "a", { "Content-Type": "Application/PDF; charset=utf-8" })).status).toBe(200);
  });

  test("an upload that is cut off is rejected, and can be repeated", async () => {
    const asked = await askToUpload(api.client, await chatAt(fileInput()));
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error("The connection is gone"));
      },
    });

    expect((await put(api.client, asked, body)).at("code")).toBe("upload.interrupted");
    expect((await put(api.client, asked, "whole")).status).toBe(200);
  });

  test("an upload address accepts the same content again, but rejects other content", async () => {
    const asked = await askToUpload(client, await chatAt(fileInput()));
    const at = await Promise.all([put(client, asked, "same"), put(client, asked, "same")]);
    const again = await put(client, asked, "same");
    const other = await put(client, asked, "else");

    // An upload that arrives while the same file is being stored may be rejected, and its client repeats it.
    const outcomes = at.map((answer) => (answer.status === 200 ? "stored" : answer.at("code")));
    expect(outcomes).toContain("stored");
    expect(outcomes.filter((outcome) => outcome !== "stored" && outcome !== "session.busy")).toEqual([]);
    expect(again.body).toEqual({ bytes: 4 });
    expect(other).toMatchObject({ status: 409, body: { code: "upload.conflict" } });
    expect(await (await fetch(asked.text("fileUrl"))).text()).toBe("same");
  });

  test("an upload requires an unexpired address from the service", async () => {
    const sessionId = await chatAt(fileInput());
    const asked = await askToUpload(client, sessionId);
    const other = await askToUpload(client, sessionId);
    const [id = "", signature = ""] = new URL(asked.text("presignedUrl")).pathname.slice(13).split(".");
    const otherId = new URL(other.text("presignedUrl")).pathname.slice(13).split(".").at(0) ?? "";
    const tampered = [
      `${otherId}.${signature}`,
      `${id}.${signature.slice(0, -2)}AA`,
      `${id}.${signature}.more`,
      id,
      `${id}.`,
      "..%2f..%2fetc%2fpasswd",
      "%00",
    ];

    for (const token of tampered)
      expect(await client.put(`/api/uploads/${token}`, { rawBody: "x" })).toMatchObject({
        status: 403,
        body: { code: "upload.address_invalid" },
      });
    await api.deps.sql`update files set url_expires_at = clock() where id = ${id}`;
    expect((await put(client, asked, "x")).at("code")).toBe("upload.address_expired");
    expect((await put(client, other, "x")).status).toBe(200);
    expect((await client.patch("/api/uploads/any", { rawBody: "x" })).status).toBe(405);
  });

  test("an upload is accepted while another session's slow uploads are running", async () => {
    const clock = createVirtualClock();
    const app = createApp({ ...api.deps, ...shareUploads({ clock }) });
    const shared = createClient({ handle: (request) => app.handle(request) });
    const busy = await chatAt(fileInput());
    const never: PromiseWithResolvers<void>[] = [];
    const slow = Array.from({ length: limits.uploads.atOnce }, async () => {
      const held = Promise.withResolvers<void>();
      never.push(held);
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: () => held.promise });
      return put(shared, await askToUpload(client, busy, { fileSize: 10 }), body);
    });
    const { token } = await api.makeUser({ scope: "admin" });
    const place = async (what: "taken" | "waiting" | "refused_total") => {
      const headers = { Authorization: `Bearer ${token}` };
      const text = await (await app.handle(new Request("http://localhost/metrics", { headers }))).text();
      return Number(new RegExp(`^parley_places_${what}\\{of="uploads"\\} (\\d+)`, "m").exec(text)?.[1]);
    };
    const share = limits.uploads.atOnce * limits.uploads.shares.session;
    await waitFor(async () => (await place("taken")) === share, { what: "its share to be taken" });
    const asked = await askToUpload(client, await chatAt(asks("file input", { labels: { button: "Other" } })));
    const answer = await put(shared, asked, "x");
    await waitFor(async () => (await place("refused_total")) > 0, { what: "some to be refused" });

    expect(answer.status).toBe(200);
    expect(await place("taken")).toBe(share);
    expect(await place("waiting")).toBe(limits.uploads.waiting * limits.uploads.shares.session);
    await clock.advance(limits.uploads.waitMs);
    expect(await place("waiting")).toBe(0);
    for (const { reject } of never) reject(new Error("hung up"));
    const codes = await Promise.all(slow.map(async (one) => (await one).at("code")));
    expect(codes.filter((code) => code === "server.overloaded")).toHaveLength(limits.uploads.atOnce - share);
    expect(codes.filter((code) => code === "upload.interrupted")).toHaveLength(share);
  });

  test("the name of an uploaded file is sanitized", async () => {
    const started = await startedAt(fileInput({ isMultipleAllowed: true }));
    const sessionId = started.text("sessionId");
    const names = [
      ["../../../etc/passwd", "passwd"],
      ["C:\\Users\\Ana\\letter.pdf", "letter.pdf"],
      ["\u202egnp.exe\u0000\n", "gnp.exe\ufffd"],
      ["履歴書 👩‍👩‍👧.pdf", "履歴書 👩‍👩‍👧.pdf"],
      ["..", "file"],
      ["", "file"],
      ["x".repeat(1_000), "x".repeat(limits.uploads.fileNameCharacters)],
    ] as const;
    const urls: string[] = [];
    for (const [fileName] of names) urls.push(await upload(client, sessionId, fileName || "x", { fileName }));

    const bot = bots.get(JSON.stringify([fileInput({ isMultipleAllowed: true }), {}]));
    const files = await api.client.get(`/api/v1/bots/${bot?.botId}/results/${started.text("resultId")}/files`, {
      token: owner.token,
    });
    expect(files.list("files")).toHaveLength(names.length);
    expect(files.at("files.*.name")).toEqual(expect.arrayContaining(names.map(([, name]) => name)));
    for (const url of urls) expect(fileNameIn(url)).toMatch(/^[a-z0-9]{26}\.pdf$/);
    expect((await say(client, sessionId, urls.join(", "))).at("input")).toBeUndefined();
  });
});

describe("a failing storage", () => {
  let s3: S3Server;
  let stored: TestApi;
  beforeAll(async () => {
    s3 = startS3();
    stored = await createTestApi({
      threads,
      config: {
        S3_BUCKET: s3.bucket,
        S3_ENDPOINT: s3.endpoint,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      },
    });
  });
  afterAll(async () => {
    await stored.close();
    await s3.stop();
  });

  test("a check of a failing storage returns the reason of the failure", async () => {
    const { token } = await stored.makeUser({ scope: "admin" });
    const somebody = await stored.makeUser();
    const check = (by: string) => stored.client.post("/api/v1/storage/check", { token: by });

    expect((await check(token)).body).toEqual({ status: "ok" });
    expect(s3.objects.size).toBe(0);
    s3.fail(true);
    const failed = await check(token);
    s3.fail(false);
    expect(failed).toMatchObject({
      status: 503,
      body: {
        code: "storage.unavailable",
        data: { reason: "S3 answered 503 SlowDown: Please reduce your request rate." },
      },
    });
    expect((await check(somebody.token)).at("code")).toBe("token.scope");
  });

  test("an upload to a failing storage gets 503, and succeeds later", async () => {
    const user = await stored.makeUser();
    const made = { token: user.token, workspaceId: await stored.makeWorkspace(user) };
    const bot = await publish(stored.client, made, flowOf([fileInput()]));
    const asked = await askToUpload(stored.client, (await start(stored.client, bot.publicId)).text("sessionId"));

    s3.fail(true);
    const failed = await put(stored.client, asked, "kept in S3");
    s3.fail(false);
    const later = await put(stored.client, asked, "kept in S3");
    const path = new URL(asked.text("fileUrl")).pathname;
    const read = await stored.handle(new Request(`http://localhost${path}`));
    const part = await stored.handle(new Request(`http://localhost${path}`, { headers: { Range: "bytes=5-6" } }));

    expect(failed.at("data")).toBeUndefined();
    expect(failed).toMatchObject({ status: 503, body: { code: "storage.unavailable" } });
    expect(later.body).toEqual({ bytes: 10 });
    expect(await read.text()).toBe("kept in S3");
    expect(await part.text()).toBe("in");
    s3.fail(true);
    expect((await stored.handle(new Request(`http://localhost${path}`))).status).toBe(503);
    s3.fail(false);
  });
});
