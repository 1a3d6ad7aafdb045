import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type DueSteps, startDueSteps } from "../../src/chat/due/due-steps.ts";
import { restoreBackup } from "../../src/platform/backup/restore.ts";
import { migrations } from "../../src/platform/database/migrations.ts";
import { createFolderStorage } from "../../src/platform/storage/storage-folder.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { isLong } from "../support/campaigns.ts";
import { say, start } from "../support/chat.ts";
import type { Answer } from "../support/client.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { moveClock } from "../support/moved-clock.ts";
import { cleanupStack, runCommand } from "../support/service.ts";
import { createThreads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";
import { type Chat, type Sample, sampleKey, sampleToken } from "./make-sample.ts";
import { readSample, sampleNames, samplePath } from "./samples.ts";

setDefaultTimeout(120_000);

const threads = createThreads({ count: 1 });
const cleanups = cleanupStack();
afterEach(cleanups.run);
afterAll(threads.close);

/** Starts a provider that has the payment intent of the samples. A provider's first intent always has the same id. */
async function startProvider(): Promise<FakeStripe> {
  const stripe = await startFakeStripe();
  cleanups.add(stripe.close);
  await fetch(`${stripe.origin}/v1/payment_intents`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", authorization: "Bearer sk_live_sample" },
    body: new URLSearchParams({ amount: "1250", currency: "eur" }),
  });
  return stripe;
}

type World = { readonly api: TestApi; readonly sample: Sample; readonly due: DueSteps; readonly stripe: FakeStripe };

/** Starts the service on a restored backup, a minute after the backup was made. */
async function restored(name: string): Promise<World> {
  const sample = readSample(name);
  const database = await createEmptyDatabase();
  const DATA_DIR = cleanups.folder();
  const archive = Bun.file(samplePath(name, "tar")).stream();
  const storage = createFolderStorage(DATA_DIR);
  await restoreBackup(archive, { sql: database.sql, name: "it", storage, isCompared: true, onProgress: () => {} });
  await setClock(database.sql, sample, 60);
  const stripe = await startProvider();
  const config = {
    ENCRYPTION_KEY: sampleKey,
    ADMIN_TOKEN: sampleToken,
    PROVIDER_URLS: providerUrls([stripe]),
    DATA_DIR,
  };
  const api = await createTestApi({ threads, database, config });
  const due = startDueSteps(api.deps);
  cleanups.add(async () => {
    await due.stop();
    await api.close();
  });
  return { api, sample, due, stripe };
}

async function setClock(sql: TestApi["deps"]["sql"], { madeAt }: Sample, seconds: number): Promise<void> {
  await moveClock(sql, (Date.parse(madeAt) - Date.now()) / 1_000 + seconds);
}

/** The first release with payments. In earlier releases, the chat reports that nothing can be paid, and ends. */
const firstWithPayments = "0068";

const textsOf = (answer: Answer) => answer.at("messages.*.content.plainText");

test("the restore command checks and restores the newest sample backup", async () => {
  const [name = ""] = sampleNames().slice(-1);
  const database = await createEmptyDatabase();
  cleanups.add(database.close);
  const environment = { DATABASE_URL: database.url, DATA_DIR: join(cleanups.folder(), "data") };

  const checked = await runCommand(["restore", "--check", samplePath(name, "tar")], { environment });
  const done = await runCommand(["restore", samplePath(name, "tar")], { environment });

  expect(checked.stdout, checked.stderr).toMatch(/can be restored: \d+ rows and 1 files, all intact\.\n$/);
  expect(done.stdout, done.stderr).toMatch(/^Restored \d+ rows and 1 files from /);
});

/** The samples to test. The oldest has the longest upgrade, and the newest is from the previous release. */
const walked = sampleNames().filter((_, index, { length }) => isLong || index === 0 || index === length - 1);

test.each(walked)(
  "the chats of a backup from the release with the migration %s continue to their ends",
  async (name) => {
    const { api, sample, due, stripe } = await restored(name);
    const { client } = api;
    const { sql } = api.deps;
    const { chats, botIds, token, workspaceId } = sample;
    const reply = (chat: Chat, message: string) => say(client, chats[chat].sessionId, message);
    const result = (chat: Chat) =>
      client.get(`/api/v1/bots/${botIds[chat]}/results/${chats[chat].resultId}`, { token });
    const answers = async (chat: Chat) => (await result(chat)).at("result.answers.*.content");

    expect(await sql`select name from migrations`).toHaveLength(migrations.length);
    const again = await start(client, chats.names.publicId, {}, { headers: { "Idempotency-Key": sample.key } });
    // Earlier releases returned no revision.
    expect(again.body).toEqual({ revision: 1, ...Object(sample.started) });

    expect(textsOf(await reply("names", "ana@example.com"))).toEqual(["Thank you"]);
    expect(await answers("names")).toEqual(["Ana", "ana@example.com"]);
    expect(await answers("ended")).toEqual(["Ada", "ada@example.com"]);

    // The chat stays with the version with which it started, and the next chat gets the new version.
    expect(textsOf(await reply("versions", "Bea"))).toEqual(["Hello Bea, and your e-mail?"]);
    expect(textsOf(await start(client, chats.versions.publicId))).toEqual(["Another question?"]);
    expect(textsOf(await reply("versions", "bea@example.com"))).toEqual(["Thank you"]);

    expect(textsOf(await reply("file", "Cy"))).toEqual(["Sent"]);
    const files = await client.get(`/api/v1/bots/${botIds.file}/results/${chats.file.resultId}/files`, { token });
    expect(files.at("files.*.name")).toEqual(["letter.pdf"]);
    const letter = await api.handle(
      new Request(new URL(new URL(String(files.at("files.0.url"))).pathname, "http://localhost")),
    );
    expect(await letter.text()).toBe("A letter");

    const back = await client.post(`/api/v1/sessions/${chats.back.sessionId}/goBack`);
    expect([back.status, back.at("input.type")]).toEqual([200, "text input"]);
    await reply("back", "Anne");
    await reply("back", "anne@example.com");
    expect(await answers("back")).toEqual(["Anne", "anne@example.com"]);

    if (name >= firstWithPayments) {
      const session = await client.get(`/api/v1/sessions/${chats.payment.sessionId}`);
      stripe.confirm(session.text("session.input.runtimeOptions.paymentIntentSecret"));
      expect(textsOf(await reply("payment", "Paid"))).toEqual(["Paid"]);
      await reply("payment", "Dan");
      expect(await answers("payment")).toEqual(["Paid", "Dan"]);
    }

    expect(textsOf(await reply("timer", "Eve"))).toEqual(["In time"]);
    await setClock(sql, sample, 3_700);
    await waitFor(async () => {
      due.wake();
      return (await client.get(`/api/v1/sessions/${chats.late.sessionId}`)).at("session.isEnded") === true;
    });
    const late = await client.get(`/api/v1/sessions/${chats.late.sessionId}`);
    expect(late.list("session.steps").at(-1)).toMatchObject({ messages: [{ content: { plainText: "Too late" } }] });

    const lists = await Promise.all(
      Object.values(botIds).map((botId) => client.get(`/api/v1/bots/${botId}/results?timeFilter=allTime`, { token })),
    );
    const completed = lists.map((list) => list.at("results.*.isCompleted"));
    // The new version's chat has just started, and the late chat has no answers.
    expect(completed).toEqual([
      ...[[true], [true], [false, true], [true], [true], [false], [true]],
      [name >= firstWithPayments],
    ]);
    const exports = await client.get(`/api/v1/bots/${botIds.ended}/result-exports`, { token });
    expect(exports.at("resultExports.*.status")).toEqual(["waiting"]);

    const place = `/api/v1/workspaces/${workspaceId}`;
    expect((await client.get(`${place}/credentials`, { token })).at("credentials.*.isReadable")).toEqual([true]);
    expect((await client.get(`${place}/secrets`, { token })).at("secrets.*.isReadable")).toEqual([true]);
    expect((await client.get(`${place}/invitations`, { token })).at("invitations.*.email")).toEqual([
      "bea@example.com",
    ]);
  },
);
