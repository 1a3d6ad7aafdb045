import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keepResumedSession } from "../../../src/chat/reads/resumed-sessions.sql.ts";
import { useToken } from "../../../src/management/access/tokens.sql.ts";
import { hashToken } from "../../../src/management/access/tokens.ts";
import { takeRemovedFiles } from "../../../src/management/files/file-removal.sql.ts";
import { insertFile, listFiles, lockFile, markStored } from "../../../src/management/files/files.sql.ts";
import { searchResults } from "../../../src/management/results/result-search.sql.ts";
import { deleteExpiredSessions } from "../../../src/management/row-erasure/clean-up.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { nameAndEmail, publish, say, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { putResult } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: { token: string; userId: string; workspaceId: string };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const user = await api.makeUser();
  owner = { ...user, workspaceId: await api.makeWorkspace(user) };
});
afterAll(async () => {
  await threads.close();
  await api.close();
});
afterEach(() => moveClock(api.deps.sql, 0));

function newFile(sessionId: string) {
  return {
    ...{ id: newId(shardOf(sessionId)), sessionId, botId: newId(), resultId: null, blockId: "b", name: "n" },
    ...{ extension: "pdf", type: "application/pdf", isPublic: false, maxBytes: 10, addressSeconds: 600 },
    most: { files: 1, bytes: 100 },
  };
}

describe.each([600, 3_600, 86_400])("a database clock that was set back by %d s", (seconds) => {
  const stepBack = () => moveClock(api.deps.sql, -seconds);

  test("after the clock is set back, the use of a token is recorded again", async () => {
    const { sql } = api.deps;
    const token = await api.makeToken(owner.userId);
    const noted = async () => {
      await useToken(sql, hashToken(token));
      const [row] = await sql<{ ago: number }[]>`
        select extract(epoch from clock() - last_used_at)::float8 as ago
        from api_tokens
        where hash = ${hashToken(token)}`;
      return row?.ago;
    };
    await noted();
    await stepBack();

    expect(await noted()).toBeWithin(0, 60);
  });

  test("after the clock is set back, the lock of a file has expired", async () => {
    const { sql } = api.deps;
    const file = newFile(newId());
    await insertFile(sql, file);
    const lock = () => lockFile(sql, { id: file.id, seconds: 180 });
    expect([await lock(), await lock()]).toEqual([true, false]);
    await stepBack();
    expect([await lock(), await lock()]).toEqual([true, false]);

    await moveClock(sql, 0);
    await sql`update files set is_removed = true, remove_after = clock(), storing_until = null where id = ${file.id}`;
    const take = () => takeRemovedFiles(sql, { limit: 10, seconds: 60 });
    expect([await take(), await take()]).toEqual([[file.id], []]);
    await stepBack();
    expect([await take(), await take()]).toEqual([[file.id], []]);
    await sql`delete from files where id = ${file.id}`;
  });

  test("files are listed newest first even if the clock is set back", async () => {
    const { sql } = api.deps;
    const { resultId, sessionId } = await putResult(sql, newId());
    const ids: string[] = [];
    for (const offset of [0, -seconds, -2 * seconds]) {
      await moveClock(sql, offset);
      const file = { ...newFile(sessionId), resultId, most: { files: 3, bytes: 100 } };
      await insertFile(sql, file);
      await markStored(sql, { id: file.id, bytes: 1, hash: "00" });
      ids.unshift(file.id);
    }

    expect((await listFiles(sql, { resultId, limit: 10 })).map(({ id }) => id)).toEqual(ids);
  });

  test("after the clock is set back, earlier uploads do not count towards the limit", async () => {
    const { sql } = api.deps;
    const sessionId = newId();
    expect(await insertFile(sql, newFile(sessionId))).toBe("made");
    expect(await insertFile(sql, newFile(sessionId))).toBe("full");
    await stepBack();

    expect(await insertFile(sql, newFile(sessionId))).toBe("made");
  });

  test("after the clock is set back, a reload expects no repeated reply", async () => {
    const { sql } = api.deps;
    const { publicId } = await publish(api.client, owner, nameAndEmail);
    const started = await start(api.client, publicId);
    await say(api.client, started.text("sessionId"), "Ana");
    const visit = { resultId: started.text("resultId"), publicationNumber: 1 };
    const marks = () => sql`select from sessions where id = ${started.text("sessionId")} and claim_until is not null`;
    await stepBack();

    expect(await keepResumedSession(sql, visit)).toBe(true);
    expect(await marks()).toHaveLength(0);
  });

  test("after the clock is set back, a session repeats a stored response", async () => {
    const { sql } = api.deps;
    const { publicId } = await publish(api.client, owner, nameAndEmail);
    const keyed = (key: string) => ({ headers: { "Idempotency-Key": `${key}-of-${publicId}-${seconds}` } });
    const started = await start(api.client, publicId, {}, keyed("start"));
    const sessionId = started.text("sessionId");
    const first = await say(api.client, sessionId, "Ana", keyed("first"));
    await stepBack();

    expect((await start(api.client, publicId, {}, keyed("start"))).body).toEqual(started.body);
    const again = await say(api.client, sessionId, "Ana", keyed("first"));
    expect([again.headers.get("idempotency-replayed"), again.body]).toEqual(["true", first.body]);
    expect((await say(api.client, sessionId, "no address", keyed("second"))).status).toBe(200);

    const left = async () => {
      const [row] = await sql<{ hours: number; grew: boolean }[]>`
        select extract(epoch from expires_at - clock()) / 3600 as hours, updated_at > created_at as grew
        from sessions
        where id = ${sessionId}`;
      return [Math.round(Number(row?.hours)), row?.grew];
    };
    expect(await left()).toEqual([24, true]);
    await moveClock(sql, 23 * 3_600 - seconds);
    expect((await say(api.client, sessionId, "no address either")).status).toBe(200);
    await moveClock(sql, 48 * 3_600 - seconds);
    expect((await say(api.client, sessionId, "ana@example.com")).at("code")).toBe("session.expired");
    await moveClock(sql, 60 * 3_600 - seconds);
    await deleteExpiredSessions(sql, 1_000);
    expect((await say(api.client, sessionId, "ana@example.com")).at("code")).toBe("session.not_found");
  });

  test("after the clock is set back, the last publication is current", async () => {
    const { botId, publicId } = await publish(api.client, owner, nameAndEmail);
    const bot = `/api/v1/bots/${botId}`;
    const before = (await api.client.get(bot, owner)).text("bot.updatedAt");
    await stepBack();
    const changed = await api.client.patch(bot, { ...owner, body: { bot: { name: "Another", updatedAt: before } } });
    await api.client.post(`${bot}/publish`, { ...owner, body: {} });

    expect(changed.text("bot.updatedAt") > before).toBe(true);
    const list = await api.client.get(`${bot}/publications`, owner);
    expect(list.at("publications.*.number")).toEqual([2, 1]);
    expect(list.at("publications.*.isCurrent")).toEqual([true, false]);
    expect((await start(api.client, publicId)).status).toBe(200);
  });

  test("after the clock is set back, a token is valid until its expiry", async () => {
    const email = `${newId()}@example.com`;
    const invitations = `/api/v1/workspaces/${owner.workspaceId}/invitations`;
    const made = await api.client.post(invitations, { ...owner, body: { email, type: "MEMBER" } });
    const expiresAt = new Date(Date.now() + 60_000);
    const token = await api.makeToken(owner.userId, { expiresAt });
    const me = () => api.client.get("/api/v1/users/me", { token });
    await stepBack();

    expect((await api.client.get(invitations, owner)).at("invitations.*.email")).toContain(email);
    expect((await me()).status).toBe(200);
    await moveClock(api.deps.sql, 61);
    expect((await me()).status).toBe(401);
    expect(made.status).toBe(200);
  });
});

test("pages of results contain each result once despite clock changes", async () => {
  const { sql } = api.deps;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -90_000, max: 90_000 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: -90_000, max: 90_000 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (offsets, later, limit) => {
        const botId = newId();
        const put = async (offset: number) => {
          await moveClock(sql, offset);
          const [row] = await sql<[{ now: Date }]>`select clock() as now`;
          return (await putResult(sql, botId, { createdAt: row.now.toISOString() })).resultId;
        };
        const ids: string[] = [];
        for (const offset of offsets) ids.push(await put(offset));

        const read: { id: string; createdAt: Date }[] = [];
        const window = { from: null, to: null };
        for (;;) {
          const { rows: page } = await searchResults(sql, { botId, window }, { after: read.at(-1), limit });
          read.push(...page);
          if (page.length < limit) break;
          const offset = later.pop();
          if (offset !== undefined) await put(offset);
        }

        const known = read.map(({ id }) => id);
        expect(new Set(known).size).toBe(known.length);
        expect(ids.filter((id) => !known.includes(id))).toEqual([]);
        const times = read.map(({ createdAt }) => createdAt.getTime());
        expect(times).toEqual(times.toSorted((one, other) => other - one));
      },
    ),
    { numRuns: 20, endOnFailure: true },
  );
});
