import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf } from "../../support/chat.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: MailServer;
let isRefusing = false;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  server = await startMailServer({
    replyTo: (command) => (isRefusing && command.startsWith("RCPT") ? "550 nobody here" : undefined),
  });
  api = await createTestApi({
    threads,
    config: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_FROM: "Bots <bots@example.com>" },
  });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await server.close();
});

const letter = {
  credentialsId: "default",
  recipients: ["team@example.com", "{{Mail}}"],
  cc: ["boss@example.com"],
  bcc: ["archive@example.com"],
  replyTo: "{{Name}} <visitor@example.com>",
  subject: "A question of {{Name}}",
  body: "{{Name}} asks: why?",
};

async function tried(options: object, body: object = {}) {
  const { token } = owner;
  const variables = [
    { id: idOf("Name"), name: "Name" },
    { id: idOf("Mail"), name: "Mail" },
  ];
  const flow = { ...flowOf([asks("text input"), { id: "letter", type: "Email", options }]), variables };
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "Tried", ...flow } } });
  const botId = made.text("bot.id");
  return { botId, ...(await api.client.post(`/api/v1/bots/${botId}/blocks/letter/testCall`, { token, body })) };
}

test("a test mail is sent only to its author", async () => {
  const answer = await tried(letter, { variables: { Name: "Ana", Mail: "ana@example.com" } });

  expect(answer.body).toMatchObject({
    request: { service: "smtp", method: "send", url: owner.email, body: "A question of Ana\n\nAna asks: why?" },
    ...{ outcome: "answered", refusal: null, statusCode: null, logs: [], variables: [] },
  });
  const mail = server.mails.at(-1);
  expect(mail).toMatchObject({ to: [owner.email], headers: { subject: "A question of Ana" } });
  expect(JSON.stringify(mail)).not.toMatch(/team@|boss@|archive@|ana@/);
  const [{ count } = { count: -1 }] = await api.deps.sql<{ count: number }[]>`
    select count(*)::integer as count
    from results
    where bot_id = ${answer.botId}`;
  expect(count).toBe(0);
});

test("a test mail needs no recipients, and each test sends one mail", async () => {
  const before = server.mails.length;
  const { recipients: _, ...rest } = letter;
  expect((await tried(rest)).at("outcome")).toBe("answered");
  expect((await tried(rest)).at("outcome")).toBe("answered");
  expect(server.mails.length).toBe(before + 2);
});

test("a test mail that is refused returns the reason", async () => {
  isRefusing = true;
  const refused = await tried(letter);
  isRefusing = false;
  expect(refused.at("outcome")).toBe("unreachable");
  expect(refused.at("logs.0")).toMatchObject({ status: "error", description: "Email not sent" });
  expect(refused.at("logs.0.details")).toContain("550");

  const { credentialsId: _, ...without } = letter;
  const none = await tried(without);
  expect(none).toMatchObject({ status: 409, body: { code: "block.no_call" } });
  expect(none.at("message")).toContain("No credentials found");

  await api.deps.sql`
    update users
    set email = null
    where id = ${owner.userId}`;
  const nowhere = await tried(letter);
  expect(nowhere).toMatchObject({ status: 409, body: { code: "block.no_call" } });
  expect(nowhere.at("message")).toContain("no e-mail address");
});
