import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Letter } from "../../../src/effects/mail/email.ts";
import { createWorkspaceMailer } from "../../../src/effects/mail/workspace-mail.ts";
import { deliverMails } from "../../../src/management/credentials/jobs/email.job.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { flowOf, publish, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: MailServer;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  server = await startMailServer();
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await server.close();
});

async function makeCredentials(more: object = {}): Promise<string> {
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: {
      type: "smtp",
      name: "Ours",
      data: {
        host: "mail.example.com",
        port: server.port,
        username: "bots",
        password: "planted-password",
        from: { name: "Team", email: "team@example.com" },
        ...more,
      },
    },
  });
  return made.text("credentials.id");
}

/**
 * Delivers a mail of a chat with the credentials. If `isAllowed` is true, mail servers may be on the loopback address.
 */
async function deliver(credentialsId: string, { isAllowed = true } = {}) {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flowOf([says("Hello")]));
  const resultId = (await start(api.client, bot.publicId)).text("resultId");
  const mailId = newId();
  const mail = { credentialsId, to: ["ana@example.com"], cc: [], bcc: [], subject: "Hello", body: { text: "Words" } };
  const content = { ...mail, resultId, botId: bot.botId };
  const { sql } = api.deps;
  await sql`
    insert into mails (id, shard, result_id, bot_id, content)
    values (${mailId}, ${shardOf(resultId)}, ${resultId}, ${bot.botId}, ${sql.json(content)})`;
  const byOperator: Letter[] = [];
  const handler = deliverMails({
    sql,
    storage: api.deps.storage,
    secrets: api.deps.secrets,
    mailer: {
      async send(letter) {
        byOperator.push(letter);
        return { kind: "sent" };
      },
    },
    workspaceMailer: createWorkspaceMailer({
      permits: () => isAllowed,
      allowedHosts: [],
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    }),
  });
  const data = { mailId, botId: bot.botId };
  const outcome = await handler({ id: mailId, data, signal: AbortSignal.timeout(10_000) });
  return { outcome, byOperator };
}

test("a mail with the workspace's credentials is sent from its server", async () => {
  const { outcome, byOperator } = await deliver(await makeCredentials());

  expect(outcome).toMatchObject({ kind: "done" });
  expect(byOperator).toEqual([]);
  expect(server.mails.at(-1)).toMatchObject({ from: "team@example.com", to: ["ana@example.com"], text: "Words" });
  expect(server.mails.at(-1)?.headers["from"]).toBe("Team <team@example.com>");
  expect(server.mails.at(-1)?.login).toContain("bots");
});

test("a mail with the default credentials is sent through the operator's server", async () => {
  const { byOperator } = await deliver("default");

  expect(byOperator).toHaveLength(1);
});

test("a mail with missing credentials or a forbidden server is not sent", async () => {
  const mails = server.mails.length;
  const gone = await deliver(newId());
  const inside = await deliver(await makeCredentials(), { isAllowed: false });

  expect(gone.outcome).toMatchObject({ kind: "failed", isRetryable: false });
  expect(inside.outcome).toMatchObject({ kind: "failed", isRetryable: false });
  expect(JSON.stringify([gone.outcome, inside.outcome])).not.toContain("planted-password");
  expect(server.mails).toHaveLength(mails);
});

test("a rejected login is stored as a problem of its credentials", async () => {
  const refusing = await startMailServer({
    replyTo: (command) => (command.startsWith("AUTH") ? "535 wrong password planted-password" : undefined),
  });
  const credentialsId = await makeCredentials({ port: refusing.port });
  const { outcome } = await deliver(credentialsId);
  expect(outcome).toMatchObject({ kind: "failed", isRetryable: true });
  const path = `/api/v1/workspaces/${workspaceId}/credentials/${credentialsId}`;
  const said = (await api.client.get(path, { token: owner.token })).text("credentials.lastProblem.message");
  expect(said).toContain("wrong password •••");
  const well = await makeCredentials();
  await deliver(well, { isAllowed: false });
  const other = await api.client.get(`/api/v1/workspaces/${workspaceId}/credentials/${well}`, { token: owner.token });
  expect(other.at("credentials.lastProblem")).toBeNull();
  await refusing.close();
});

test("a mail server with one forbidden address is not called", async () => {
  const asked: string[] = [];
  const mailer = createWorkspaceMailer({
    permits: (address) => asked.push(address) > 0 && address === "127.0.0.1",
    allowedHosts: [],
    resolve: async () => ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 })),
  });
  const mails = server.mails.length;
  const letter = { to: ["ana@example.com"], cc: [], bcc: [], subject: "Hello", body: { text: "Words" } };
  const data = { host: "mail.example.com", port: server.port, from: { email: "team@example.com" } };

  expect(await mailer.send(data, letter, newId())).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("not public"),
    isRetryable: false,
  });
  expect(asked).toEqual(["127.0.0.1", "127.0.0.2"]);
  expect(server.mails).toHaveLength(mails);
});
