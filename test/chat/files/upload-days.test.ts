import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Letter, Mailer } from "../../../src/effects/mail/email.ts";
import { createUploadGauges, nearlyFull } from "../../../src/management/files/days/upload-days.job.ts";
import { deleteOldUploadDays } from "../../../src/management/files/days/upload-days.sql.ts";
import { receiveUpload } from "../../../src/management/files/upload-content.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import type { Answer } from "../../support/client.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { testKey } from "../../support/events.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { askToUpload, put } from "../../support/uploads.ts";

const folder = temporaryFolder();
const config = { DATA_DIR: folder.path, ENCRYPTION_KEY: testKey, ANONYMOUS_MEGABYTES_A_DAY: 1 };
let database: TestDatabase;
let threads: Threads;
let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let bot: { botId: string; publicId: string };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  database = await createTestDatabase();
  api = await createTestApi({ threads, config, database });
  owner = await api.makeUser();
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner);
  bot = await publishHere(flowOf([asks("file input", { isRequired: false }), asks("text input"), says("Thank you")]));
});
afterAll(async () => {
  await api.close();
  await threads.close();
  folder.remove();
});

const publishHere = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);
const content = (kilobytes: number) => new Uint8Array(kilobytes * 1024).fill(65);
const newChat = async (publicId = bot.publicId) => (await start(api.client, publicId)).text("sessionId");

/** Requests an upload address without a size, like the oldest clients, and sends the file. */
async function upload(sessionId: string, kilobytes: number): Promise<Answer> {
  return put(api.client, await askToUpload(api.client, sessionId, { fileSize: undefined }), content(kilobytes));
}

async function usedHere(of = workspaceId): Promise<number | undefined> {
  const [day] = await database.sql<{ kilobytes: number }[]>`
    select (bytes / 1024)::int as kilobytes from upload_days where workspace_id = ${of}`;
  return day?.kilobytes;
}

const stored = async (sessionId: string) => {
  const rows = await database.sql`select 1 from files where session_id = ${sessionId} and stored_at is not null`;
  return rows.length;
};

function expectFull(answer: Answer): void {
  expect([answer.status, answer.at("code")]).toEqual([429, "workspace.storage_full"]);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
  expect(Math.abs((seconds - untilMidnight) % 86_400)).toBeLessThan(10);
}

describe("the daily upload limit", () => {
  test("the daily upload limit rejects files but does not stop the chat", async () => {
    const sessionId = await newChat();
    expect((await upload(sessionId, 1_000)).status).toBe(200);

    expectFull(await askToUpload(api.client, sessionId, { fileSize: 25 * 1024 }));
    expect((await askToUpload(api.client, sessionId, { fileSize: 24 * 1024 })).status).toBe(200);
    expect(await usedHere()).toBe(1_000);
    const went = await say(api.client, sessionId, null);
    expect(went.at("input.type")).toBe("text input");
    expect((await say(api.client, sessionId, "Hello")).at("messages.*.content.plainText")).toEqual(["Thank you"]);
    expect((await start(api.client, bot.publicId)).status).toBe(200);
  });

  test("a file that exceeds the rest of the daily upload limit is not stored", async () => {
    const sessionId = await newChat();
    expect((await upload(sessionId, 600)).status).toBe(200);

    expectFull(await upload(sessionId, 600));
    expect(await stored(sessionId)).toBe(1);
    expect(await usedHere()).toBe(600);
    // There is still room for a smaller file.
    expect((await upload(sessionId, 424)).status).toBe(200);
    expectFull(await askToUpload(api.client, sessionId, { fileSize: undefined }));
    expect(await usedHere()).toBe(1_024);
  });

  test("the daily upload limit rejects a first file that is larger than the limit", async () => {
    expectFull(await upload(await newChat(), 1_025));
    expect(await usedHere()).toBe(0);
  });

  test.each([1, 2])(
    "the daily upload limit applies to existing clients of generate-upload-url v%i and their forms",
    async (version) => {
      const sessionId = await newChat();
      const body = { sessionId, fileName: "a.pdf", fileType: "application/pdf" };
      const ask = () => api.client.post(`/api/v${version}/generate-upload-url`, { body });
      const post = async (asked: Answer, kilobytes: number) => {
        const form = new FormData();
        form.append("file", new Blob([content(kilobytes)], { type: "application/pdf" }), "a.pdf");
        return api.client.post(new URL(asked.text("presignedUrl")).pathname, { rawBody: form });
      };
      expectFull(await post(await ask(), 1_200));
      expect((await post(await ask(), 1_024)).status).toBe(200);
      expectFull(await ask());
    },
  );

  test("the daily upload limit accepts only one of two simultaneous files", async () => {
    const asked = await Promise.all(
      [await newChat(), await newChat()].map((sessionId) =>
        askToUpload(api.client, sessionId, { fileSize: undefined }),
      ),
    );
    const answers = await Promise.all(asked.map((one) => put(api.client, one, content(600))));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    expect(await usedHere()).toBe(600);
  });

  test("the daily upload limit starts again at midnight", async () => {
    const sessionId = await newChat();
    await upload(sessionId, 1_024);
    await database.sql`update upload_days set day = day - 1 where workspace_id = ${workspaceId}`;

    expect((await upload(sessionId, 500)).status).toBe(200);
    expect(await deleteOldUploadDays(database.sql, 100)).toBe(0);
    await database.sql`update upload_days set day = day - 1 where workspace_id = ${workspaceId}`;
    expect(await deleteOldUploadDays(database.sql, 100)).toBe(1);
    expect(await usedHere()).toBe(500);
  });
});

describe("the count of uploaded bytes", () => {
  test("the count of uploaded bytes includes a repeated upload once", async () => {
    const asked = await askToUpload(api.client, await newChat(), { fileSize: 900 * 1024 });
    expect((await put(api.client, asked, content(300))).status).toBe(200);
    expect((await put(api.client, asked, content(300))).status).toBe(200);
    expect(await usedHere()).toBe(300);
  });

  test("the count of uploaded bytes excludes rejected files", async () => {
    const sessionId = await newChat();
    const asked = await askToUpload(api.client, sessionId);
    const wrong = await put(api.client, asked, content(10), { "Content-Type": "image/png" });
    expect(wrong.at("code")).toBe("upload.type_not_allowed");
    expect(await usedHere()).toBeUndefined();

    const token = new URL(asked.text("presignedUrl")).pathname.split("/").at(-1) ?? "";
    const received = receiveUpload(
      { ...api.deps, storage: { ...api.deps.storage, keep: () => Promise.reject(new Error("The disk is full")) } },
      { token, contentType: null, contentLength: null, body: new Blob([content(10)]).stream() },
    );
    await expect(received).rejects.toThrow("The disk is full");
    expect(await usedHere()).toBe(0);
    expect((await put(api.client, asked, content(10))).status).toBe(200);
    expect(await usedHere()).toBe(10);
  });

  test("the count of uploaded bytes excludes a file of a deleted bot", async () => {
    const asked = await askToUpload(api.client, await newChat());
    const token = new URL(asked.text("presignedUrl")).pathname.split("/").at(-1) ?? "";
    const keep = async () => {
      await database.sql`update bots set deleted_at = clock() where id = ${bot.botId}`;
    };
    const received = receiveUpload(
      { ...api.deps, storage: { ...api.deps.storage, keep } },
      { token, contentType: null, contentLength: null, body: new Blob([content(10)]).stream() },
    );
    await expect(received).rejects.toMatchObject({ code: "upload.address_invalid" });
    expect(await usedHere()).toBe(0);
  });

  test("the count of uploaded bytes excludes files of authors' previews", async () => {
    await upload(await newChat(), 1_024);
    const path = `/api/v1/bots/${bot.botId}/preview/startChat`;
    const preview = await api.client.post(path, { token: owner.token, body: {} });

    expect((await upload(preview.text("sessionId"), 500)).status).toBe(200);
    expect((await askToUpload(api.client, preview.text("sessionId"), { fileSize: 900_000 })).status).toBe(200);
    expect(await usedHere()).toBe(1_024);
  });

  test("the count of uploaded bytes belongs to the workspace of the bot", async () => {
    const sessionId = await newChat();
    await upload(sessionId, 1_024);
    const former = workspaceId;
    const next = await api.makeWorkspace(owner);
    await api.client.post(`/api/v1/bots/${bot.botId}/move`, { token: owner.token, body: { workspaceId: next } });

    expect((await upload(sessionId, 200)).status).toBe(200);
    expect([await usedHere(former), await usedHere(next)]).toEqual([1_024, 200]);
    await database.sql`delete from members where workspace_id = ${former}`;
    await database.sql`delete from workspaces where id = ${former}`;
    expect(await usedHere(former)).toBeUndefined();
  });
});

describe("notifications of a workspace", () => {
  const sent: Letter[] = [];
  const mailer: Mailer = {
    async send(mail) {
      sent.push(mail);
      return { kind: "sent" };
    },
  };
  const tell = () => nearlyFull({ ...api.deps, mailer }).removeSome();

  test("files that are rejected on the same day cause only one event", async () => {
    const path = `/api/v1/workspaces/${workspaceId}/event-endpoints`;
    const body = { url: "https://events.example.com/", eventTypes: ["storage.full"] };
    const endpoint = (await api.client.post(path, { token: owner.token, body })).text("eventEndpoint.id");
    const events = () => database.sql<{ content: object }[]>`
      select content from event_deliveries where endpoint_id = ${endpoint}`;
    const sessionId = await newChat();
    await upload(sessionId, 1_000);
    expect(await events()).toHaveLength(0);

    expectFull(await upload(sessionId, 25));
    expectFull(await askToUpload(api.client, sessionId, { fileSize: 25 * 1024 }));
    expect(await events()).toMatchObject([
      { content: { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), megabytes: 1 } },
    ]);
  });

  test("ADMINs get one mail when four fifths of the limit are used", async () => {
    await database.sql`update upload_days set warned_at = clock(), refused_at = null`;
    const sessionId = await newChat();
    await upload(sessionId, 800);
    sent.length = 0;
    expect([await tell(), sent]).toEqual([0, []]);

    await upload(sessionId, 20);
    expect(await createUploadGauges(database.sql).metrics()).toContain("parley_workspaces_storage_full 0");
    expect([await tell(), await tell()]).toEqual([1, 0]);
    expect(sent).toMatchObject([{ to: [owner.email], subject: expect.stringContaining("will soon be rejected") }]);
    expectFull(await upload(sessionId, 900));
    expect(await tell()).toBe(0);
    expect(await createUploadGauges(database.sql).metrics()).toContain("parley_workspaces_storage_full 1");
  });

  test("ADMINs get a mail about refused files if the first file exceeds the limit", async () => {
    sent.length = 0;
    expectFull(await upload(await newChat(), 1_100));
    expect(await tell()).toBe(1);
    expect(sent).toMatchObject([{ subject: expect.stringContaining("are rejected until midnight") }]);
  });
});

describe("a workspace without its own upload limit", () => {
  test("a new instance has a default upload limit, and an upgraded one has none", async () => {
    const bounds = async ({ sql }: TestDatabase) =>
      await sql`select anonymous_megabytes_a_day as most from instance_defaults`;
    expect(await bounds(database)).toMatchObject([{ most: 20_000 }]);

    const former = await createEmptyDatabase();
    const before = migrations.filter(({ name }) => name < "0082");
    await migrate(former.sql, before);
    await former.sql`insert into users (id, name) values (${newId()}, 'Ada')`;
    await migrate(former.sql);
    expect(await bounds(former)).toMatchObject([{ most: 0 }]);
    await former.close();
  });

  test("the instance's default limit applies if no limit is configured", async () => {
    const { ANONYMOUS_MEGABYTES_A_DAY: _, ...others } = config;
    const shared = { ...database, close: async () => {} };
    const absent = await createTestApi({ threads, config: others, database: shared });
    const none = await createTestApi({
      threads,
      config: { ...others, ANONYMOUS_MEGABYTES_A_DAY: 0 },
      database: shared,
    });
    const uploadAt = async ({ client }: TestApi) => {
      const sessionId = await newChat();
      return put(client, await askToUpload(client, sessionId, { fileSize: 1_100 * 1024 }), content(1_100));
    };
    await database.sql`update instance_defaults set anonymous_megabytes_a_day = 2`;

    expect((await uploadAt(absent)).status).toBe(200);
    expectFull(await askToUpload(absent.client, await newChat(), { fileSize: 1_100 * 1024 }));
    expect((await uploadAt(none)).status).toBe(200);
    expect(await usedHere()).toBe(1_100);
    await database.sql`update instance_defaults set anonymous_megabytes_a_day = 0`;
    expect((await uploadAt(absent)).status).toBe(200);
    expect(await usedHere()).toBe(1_100);
  });
});
