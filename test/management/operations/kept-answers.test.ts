import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { emptyBin } from "../../../src/management/bin/bin.job.ts";
import { answerOnce } from "../../../src/platform/http/requests/request-keys.ts";
import { operations } from "../../../src/service/operations.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let member: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  [owner, member] = [await api.makeUser(), await api.makeUser()];
  workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER" });
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const word = "Quetzalcoatl";
const flow = flowOf([asks("text input", { variableId: idOf("Name") }), asks("text input", {}, { id: "last" })]);

type Keyed = { readonly path: string; readonly body: object; readonly token: string };

/** Returns a function that sends a request with a new key, and repeats it when called again. */
function keyed({ path, body, token }: Keyed) {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  return () => api.client.post(`/api/v1/${path}`, { token, body, headers });
}

const isReplayed = (answer: { readonly headers: Headers }) => answer.headers.get("idempotency-replayed") === "true";

function setRole(userId: string, role: "MEMBER" | "GUEST" | null): Promise<unknown> {
  const path = `/api/v1/workspaces/${workspaceId}/members/${userId}`;
  if (role === null) return api.client.delete(path, { token: owner.token });
  return api.client.put(path, { token: owner.token, body: { role } });
}

async function chatted(of = workspaceId): Promise<{ botId: string; sessionId: string; resultId: string }> {
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId: of }, flow);
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  await say(api.client, sessionId, word);
  return { botId, sessionId, resultId: started.text("resultId") };
}

const rowsOf = async (botId: string) => {
  const [row] = await api.deps.sql<[{ count: number }]>`
    select count(*)::integer as count from request_keys where bot_id = ${botId}`;
  return row.count;
};

describe("a stored response with content of a bot", () => {
  test("a stored response with a bot's content is returned again", async () => {
    const { botId, sessionId } = await chatted();
    const bot = { name: "Kept", ...flow };
    const asked = {
      made: keyed({ path: "bots", body: { workspaceId, bot }, token: member.token }),
      copied: keyed({ path: `bots/${botId}/duplicate`, body: {}, token: member.token }),
      published: keyed({ path: `bots/${botId}/publish`, body: {}, token: member.token }),
      recorded: keyed({
        path: `bots/${botId}/testConversations/record`,
        body: { sessionId },
        token: member.token,
      }),
    };
    const first = await Promise.all(Object.values(asked).map((ask) => ask()));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify(first.at(-1)?.body)).toContain(word);
    const again = await Promise.all(Object.values(asked).map((ask) => ask()));
    expect(again.map(isReplayed)).toEqual([true, true, true, true]);
    expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));

    await setRole(member.userId, "GUEST");
    expect((await asked.made()).at("code")).toBe("bot.not_found");
    await setRole(member.userId, null);
    for (const ask of Object.values(asked)) {
      const refused = await ask();
      expect([refused.status, refused.at("code")]).toEqual([404, "bot.not_found"]);
    }
    await api.deps
      .sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${member.userId}, 'MEMBER')`;
    expect((await asked.recorded()).body).toEqual(first.at(-1)?.body);
  });

  test("a stored response of a write is refused to a read-only collaborator", async () => {
    const { botId, sessionId } = await chatted();
    const guest = await api.makeUser();
    const { sql } = api.deps;
    await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${guest.userId}, 'WRITE')`;
    const imported = keyed({ path: `bots/${botId}/import`, body: { bot: flow }, token: guest.token });
    const recorded = keyed({
      path: `bots/${botId}/testConversations/record`,
      body: { sessionId },
      token: guest.token,
    });
    expect([(await imported()).status, (await recorded()).status]).toEqual([200, 200]);

    await sql`update collaborators set type = 'READ' where user_id = ${guest.userId}`;
    expect((await imported()).at("code")).toBe("workspace.forbidden");
    expect(isReplayed(await recorded())).toBe(true);
    await sql`delete from collaborators where user_id = ${guest.userId}`;
    expect((await recorded()).at("code")).toBe("bot.not_found");
  });

  test("a stored response is not returned while its bot is in the bin", async () => {
    const { botId } = await chatted();
    const lint = keyed({ path: `bots/${botId}/lint`, body: {}, token: owner.token });
    const first = await lint();
    await api.deps.sql`update bots set deleted_at = clock() where id = ${botId}`;
    expect([first.status, (await lint()).at("code")]).toEqual([200, "bot.not_found"]);
    await api.deps.sql`update bots set deleted_at = null where id = ${botId}`;
    expect(isReplayed(await lint())).toBe(true);
  });
});

describe("a stored response of a change", () => {
  test("a stored response of a change is still returned to a removed member", async () => {
    const leaving = await api.makeUser();
    await api.deps
      .sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${leaving.userId}, 'MEMBER')`;
    const { botId } = await chatted();
    const unpublish = keyed({ path: `bots/${botId}/unpublish`, body: {}, token: leaving.token });
    const erase = keyed({ path: `bots/${botId}/erase`, body: {}, token: leaving.token });
    await unpublish();
    await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
    const erased = await erase();
    await setRole(leaving.userId, null);

    expect(isReplayed(await unpublish())).toBe(true);
    expect((await erase()).body).toEqual(erased.body);
  });

  test("a stored response of a change contains no content of a bot or result", () => {
    const acts = operations.filter(({ errors, shows }) => errors.includes("idempotency.in_doubt") && !shows);
    const parts = acts.flatMap(({ id, answer }) => Object.keys(answer["properties"] ?? {}).map((key) => [id, key]));
    const known = new Set(harmless);
    expect(parts.filter(([, key = ""]) => !known.has(key))).toEqual([]);
    const ofBots = operations.filter(
      ({ answer, method }) => method === "POST" && "bot" in Object(answer["properties"]),
    );
    expect(ofBots.filter(({ errors, shows }) => errors.includes("idempotency.in_doubt") && !shows)).toEqual([]);
  });
});

/** Parts of responses that contain neither content of a bot nor answers of visitors. */
const harmless = [
  ...[
    "message",
    "id",
    "url",
    "count",
    "number",
    "publicId",
    "updatedAt",
    "revision",
    "isNew",
    "isErased",
    "isErasing",
    "status",
    "isComplete",
    "outdated",
    // Names of bots that link to the bots of the request. The sender could read them when sending it.
    "linkedFrom",
  ],
  ...["restoredCount", "erasedCount", "added", "changed", "known", "stored"],
  // Ids of bots whose addresses were taken, a version's id, or an export without its content.
  ...["lost", "publishedBot", "publishedTypebot", "resultExport"],
  ...["workspace", "invitation", "user", "member", "apiToken", "folder", "signIn", "themeTemplate"],
  ...["customDomain", "credentials", "test", "webhook", "eventEndpoint"],
  // A connection as its messenger identifies it, the secrets that its sender created, or the names of a conversation's
  // contact, without any message.
  ...["channelConnection", "madeSecrets", "check", "conversation"],
  // The name and the type of a file, which its sender already has.
  ...["name", "groupCount", "report"],
  // A receipt. Only a dry run, which shows matches, has `variables` and `onlyInAnswers` in its response.
  ...["personErasure", "spellings", "comparedValue", "variables", "onlyInAnswers"],
];

describe("the deletion of a stored response", () => {
  const record = ({ botId, sessionId }: { botId: string; sessionId: string }) =>
    keyed({ path: `bots/${botId}/testConversations/record`, body: { sessionId }, token: owner.token });

  test.each([
    [
      "a result of its bot is erased",
      async ({ botId, resultId }: { botId: string; resultId: string }) => {
        await api.client.delete(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });
        const erase = { token: owner.token, body: { resultIds: [resultId] } };
        expect((await api.client.post(`/api/v1/bots/${botId}/results/erase`, erase)).at("erasedCount")).toBe(1);
      },
    ],
    ["a person is erased", () => erasePerson({ isDryRun: false })],
    [
      "its bot is erased",
      async ({ botId }: { botId: string }) => {
        await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
        expect((await api.client.post(`/api/v1/bots/${botId}/erase`, { token: owner.token, body: {} })).status).toBe(
          200,
        );
      },
    ],
  ])("a stored response is deleted when %s", async (_, erase) => {
    const chat = await chatted();
    const ask = record(chat);
    expect(JSON.stringify((await ask()).body)).toContain(word);
    expect(await rowsOf(chat.botId)).toBe(1);

    await erase(chat);
    expect(await rowsOf(chat.botId)).toBe(0);
    const again = await ask();
    expect(isReplayed(again)).toBe(false);
    expect(JSON.stringify(again.body)).not.toContain(word);
  });

  test("the stored response of a dry run is deleted when the person is erased", async () => {
    await chatted();
    const path = `workspaces/${workspaceId}/person-erasures`;
    const body = { variable: "Name", value: word, isDryRun: true };
    const count = keyed({ path, body, token: owner.token });
    const erase = keyed({ path, body: { ...body, isDryRun: false }, token: owner.token });
    expect(JSON.stringify((await count()).body)).toContain(word);

    const erased = await erase();
    const again = await count();
    expect([again.at("personErasure.results"), isReplayed(again)]).toEqual([0, false]);
    expect((await erase()).body).toEqual(erased.body);
  });

  test("a stored response is deleted with its workspace", async () => {
    const other = await api.makeWorkspace(owner);
    const path = `workspaces/${other}/person-erasures`;
    await chatted(other);
    await keyed({ path, body: { variable: "Name", value: word, isDryRun: true }, token: owner.token })();
    const rows = () => api.deps.sql`select from request_keys where workspace_id = ${other}`;
    expect(await rows()).toHaveLength(1);

    await api.client.delete(`/api/v1/workspaces/${other}`, { token: owner.token });
    await api.client.post(`/api/v1/workspaces/${other}/erase`, { token: owner.token, body: {} });
    const bin = emptyBin(api.deps.sql);
    while ((await bin.removeSome()) > 0);
    expect(await rows()).toHaveLength(0);
  });

  test("a response is not stored if an erasure ran in the meantime", async () => {
    const { botId } = await chatted();
    const key = crypto.randomUUID();
    let asks = 0;
    const place = { botId, workspaceId };
    const shows = { place, mayStillSee: async () => {} };
    const ask = () =>
      answerOnce(api.deps, { key, tokenId: owner.userId, token: "a token", content: 1, shows }, async () => {
        asks++;
        await erasePerson({ isDryRun: false });
        return { body: word, headers: {} };
      });
    expect((await ask()).body).toBe(word);

    expect(await ask().catch(({ code }) => code)).toBe("idempotency.in_doubt");
    expect(asks).toBe(1);
    const [row] = await api.deps.sql`select answer from request_keys where key = ${key}`;
    expect(row).toEqual({ answer: null });
  });

  function erasePerson({ isDryRun }: { isDryRun: boolean }): Promise<void> {
    const body = { variable: "Name", value: word, isDryRun };
    return api.client
      .post(`/api/v1/workspaces/${workspaceId}/person-erasures`, { token: owner.token, body })
      .then((answer) => expect(answer.at("personErasure.outcome")).toBe("erased"));
  }
});

test("responses stored by an earlier release are returned only for changes", async () => {
  const { botId } = await chatted();
  const lint = keyed({ path: `bots/${botId}/lint`, body: {}, token: owner.token });
  const unpublish = keyed({ path: `bots/${botId}/unpublish`, body: {}, token: owner.token });
  await Promise.all([lint(), unpublish()]);
  await api.deps.sql`update request_keys set shows = null, bot_id = null, workspace_id = null`;

  expect((await lint()).at("code")).toBe("idempotency.in_doubt");
  expect(isReplayed(await unpublish())).toBe(true);
});
