import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createMailer } from "../../../src/effects/mail/email.ts";
import { limits } from "../../../src/limits/index.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { pauseQueue, resumeQueue } from "../../../src/platform/queue/paused-queues.sql.ts";
import { openQueue, type Queue } from "../../../src/platform/queue/queue.sql.ts";
import type { Jobs } from "../../../src/service/jobs.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { startTestJobs } from "../../support/queue.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { fileNameIn, upload } from "../../support/uploads.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let bot: { botId: string; publicId: string };
let mails: MailServer;
let queue: Queue;
let jobs: Jobs;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  mails = await startMailServer();
  api = await createTestApi({ threads, onJobs: () => jobs.wake() });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  queue = await openQueue({ url: api.databaseUrl, log: createLog("silent") });
  const mailer = createMailer({ url: `smtp://127.0.0.1:${mails.port}`, from: "bots@example.com" });
  jobs = await startTestJobs({ sql: api.deps.sql, queue }, mailer, undefined, api.deps);
  bot = await publish(api.client, { token: owner.token, workspaceId }, mailsLast);
});
afterAll(async () => {
  await jobs.stop();
  await queue.stop();
  await threads.close();
  await api.close();
  await mails.close();
});
afterEach(async () => {
  await api.deps.sql`truncate outbox, mails`;
});

const asksForFiles = asks("file input", { variableId: idOf("Name"), visibility: "Private", isMultipleAllowed: true });
const mailWith = (variable: string) => ({
  id: idOf("mail"),
  type: "Email",
  options: {
    ...{ credentialsId: "default", recipients: ["team@example.com"], subject: "Files", body: "Here" },
    attachmentsVariableId: idOf(variable),
  },
});
const mailsLast = flowOf([asksForFiles, mailWith("Name"), says("Thanks")]);
const mailsFirst = flowOf([mailWith("Email"), asksForFiles]);

async function sent(contents: readonly string[], more: readonly string[] = []) {
  const started = await start(api.client, bot.publicId);
  const sessionId = started.text("sessionId");
  const urls: string[] = [];
  for (const content of contents) urls.push(await upload(api.client, sessionId, content));
  return { sessionId, resultId: started.text("resultId"), urls: [...urls, ...more] };
}

async function logged({ sessionId, resultId, urls }: Awaited<ReturnType<typeof sent>>) {
  const answer = await say(api.client, sessionId, urls.join(", "));
  expect(answer.at("messages.*.content.plainText")).toEqual(["Thanks"]);
  return entry(`/api/v1/bots/${bot.botId}/results/${resultId}/logs`);
}

function entry(path: string): Promise<unknown> {
  return waitFor(async () => {
    const logs = (await api.client.get(path, { token: owner.token })).at("logs");
    return Array.isArray(logs) && logs.length > 0 && logs[0];
  });
}

const last = () => mails.mails.at(-1);
const invalid = { status: "error", description: "Invalid email attachment URL", context: "While sending email" };

test("a visitor's private files are attached in the order of the reply", async () => {
  const chat = await sent(["first letter", "second letter"]);

  expect(await logged(chat)).toMatchObject({ status: "success", description: "Email successfully sent" });

  const text = last()?.text ?? "";
  expect(text.match(/filename=letter\.pdf/g)).toHaveLength(2);
  expect(text.match(/Content-Type: application\/pdf/g)).toHaveLength(2);
  const [one, two] = ["first letter", "second letter"].map((content) => text.indexOf(btoa(content)));
  expect(one).toBeGreaterThan(0);
  expect(two).toBeGreaterThan(one ?? 0);
});

test("the job of a mail contains file names and no file addresses", async () => {
  const chat = await sent(["a letter"]);
  const [url = ""] = chat.urls;
  await pauseQueue(api.deps.sql, "email");
  await say(api.client, chat.sessionId, url);
  const [mail] = await waitFor(async () => {
    const rows = await api.deps.sql<{ content: { attachments: string[] } }[]>`select content from mails`;
    return rows.length > 0 && rows;
  });
  expect(mail?.content.attachments).toEqual([fileNameIn(url)]);
  await resumeQueue(api.deps.sql, "email");
  await waitFor(async () => (await api.deps.sql`select from mails`).length === 0);
});

test("a file that is removed before the mail is sent prevents the mail", async () => {
  const chat = await sent(["gone"]);
  const [id = ""] = fileNameIn(chat.urls[0] ?? "").split(".");
  await api.deps.storage.remove(id);
  const before = mails.mails.length;

  expect(await logged(chat)).toMatchObject({ ...invalid, details: `The file ${id}.pdf is missing from the storage` });

  expect(mails.mails).toHaveLength(before);
});

test("another chat's private file prevents the mail", async () => {
  const { token } = owner;
  const { botId, publicId } = await publish(api.client, { token, workspaceId }, mailsFirst);
  const other = await start(api.client, publicId);
  const strange = await upload(api.client, other.text("sessionId"), "of another");
  const entryOf = async () => {
    const started = await start(api.client, publicId, { prefilledVariables: { Email: strange } });
    return entry(`/api/v1/bots/${botId}/results/${started.text("resultId")}/logs`);
  };

  expect(await entryOf()).toMatchObject({ ...invalid, details: `${fileNameIn(strange)} is not a file of this chat` });
  await api.deps.sql`update files set is_public = true where bot_id = ${botId}`;
  expect(await entryOf()).toMatchObject({ status: "success" });
  expect(last()?.text).toContain(btoa("of another"));
});

test("attachments of more than 25 MB in total prevent the mail", async () => {
  const chat = await sent(["large", "larger"]);
  const half = limits.mails.attachmentBytes / 2;
  await api.deps.sql`update files set bytes = ${half + 1} where session_id = ${chat.sessionId}`;
  const before = mails.mails.length;

  expect(await logged(chat)).toMatchObject({
    status: "error",
    description: "Email not sent",
    details: "The attachments are larger than 25 MB",
  });
  expect(mails.mails).toHaveLength(before);
});
