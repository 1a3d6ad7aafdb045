import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import { createDraftWatch, type DraftEvent } from "../../../../src/management/bots/drafts/draft-watch.ts";
import { systemClock } from "../../../../src/platform/concurrency/clock.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { nameAndEmail, publish } from "../../../support/chat.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";
import { waitFor } from "../../../support/wait.ts";

let threads: Threads;
let api: TestApi;
let admin: TestUser;
let member: TestUser;
let reader: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  [admin, member, reader] = await Promise.all([api.makeUser(), api.makeUser(), api.makeUser()]);
  workspaceId = await api.makeWorkspace(admin, { [member.userId]: "MEMBER", [reader.userId]: "GUEST" });
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

async function makeBot(): Promise<string> {
  const { botId } = await publish(api.client, { token: admin.token, workspaceId }, nameAndEmail);
  await api.deps.sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${reader.userId}, 'READ')`;
  return botId;
}

const place = { kind: "group", id: "g0" };

function as({ token }: TestUser, botId: string) {
  const path = `/api/v1/bots/${botId}/comments`;
  return {
    list: (query = {}) => api.client.get(path, { token, query }),
    write: (body: object) => api.client.post(path, { token, body }),
    change: (id: string, body: object) => api.client.patch(`${path}/${id}`, { token, body }),
    remove: (id: string) => api.client.delete(`${path}/${id}`, { token }),
    see: (at: string) => api.client.put(`${path}/seen`, { token, body: { at } }),
  };
}

const textsOf = (list: readonly unknown[]) => list.map((one) => Object(one).text);

test("a thread is created, answered by a mentioned reader, resolved and reopened", async () => {
  const botId = await makeBot();
  const [ours, theirs] = [as(admin, botId), as(reader, botId)];
  const first = await ours.write({ text: `Why, <@${reader.userId}>?`, place });
  const id = first.text("comment.id");
  expect(first.at("comment")).toMatchObject({
    threadId: id,
    place,
    by: { userId: admin.userId },
    mentions: [{ userId: reader.userId }],
    resolvedAt: null,
    editedAt: null,
    isRemoved: false,
  });
  const answer = await theirs.write({ text: "Because", threadId: id });
  expect(answer.at("comment")).toMatchObject({ threadId: id, place: null, by: { userId: reader.userId } });

  const resolved = await theirs.change(id, { isResolved: true });
  expect(resolved.at("comment.resolvedBy")).toMatchObject({ userId: reader.userId });
  expect((await ours.change(id, { isResolved: true })).at("comment.resolvedAt")).toBe(
    resolved.at("comment.resolvedAt"),
  );
  expect((await ours.change(id, { isResolved: false })).at("comment")).toMatchObject({
    resolvedAt: null,
    resolvedBy: null,
  });

  const listed = await theirs.list();
  expect(textsOf(listed.list("comments"))).toEqual(["Because", `Why, <@${reader.userId}>?`]);
  const people = listed.list("people").map((one) => Object(one).userId);
  expect(people.toSorted()).toEqual([admin.userId, member.userId, reader.userId].toSorted());
  expect(listed.at("seenAt")).toBeNull();
  const { nextCursor } = Object((await ours.list({ limit: 1 })).body);
  const rest = await ours.list({ limit: 1, cursor: nextCursor });
  expect(textsOf(rest.list("comments"))).toEqual([`Why, <@${reader.userId}>?`]);
  expect(rest.at("people")).toBeUndefined();
});

test("a comment can be edited only by its author, and deleted also by an admin", async () => {
  const botId = await makeBot();
  const [ours, theirs, others] = [as(admin, botId), as(reader, botId), as(member, botId)];
  const id = (await theirs.write({ text: "Frist", place })).text("comment.id");
  expect((await ours.change(id, { text: "Mine" })).at("code")).toBe("comment.not_yours");
  const edited = await theirs.change(id, { text: "First" });
  expect(edited.at("comment")).toMatchObject({ text: "First", editedAt: expect.any(String) });
  const answer = (await others.write({ text: "Second", threadId: id })).text("comment.id");
  expect((await theirs.remove(answer)).at("code")).toBe("comment.not_yours");

  // Other people have answered, so the text of the comment is removed, and the thread stays.
  expect((await theirs.remove(id)).status).toBe(200);
  const left = (await ours.list()).list("comments").map((one) => Object(one));
  expect(left.map(({ text, isRemoved, by }) => [text, isRemoved, by?.userId ?? null])).toEqual([
    ["Second", false, member.userId],
    ["", true, null],
  ]);
  expect((await theirs.remove(id)).at("code")).toBe("comment.not_found");
  expect((await ours.remove(answer)).status).toBe(200);
  expect((await ours.list()).list("comments")).toEqual([]);
  expect((await ours.write({ text: "Late", threadId: id })).at("code")).toBe("comment.not_found");
});

test("a comment with an invalid text, place or mention is rejected", async () => {
  const botId = await makeBot();
  const ours = as(admin, botId);
  const stranger = await api.makeUser();
  const many = Array.from({ length: limits.comments.mentions + 1 }, () => `<@${newId()}>`).join(" ");
  const refused = [
    { text: " \n ", place },
    { text: "No place" },
    { text: `Hello <@${stranger.userId}>`, place },
    { text: many, place },
    { text: "x".repeat(limits.comments.characters + 1), place },
    { text: "Somewhere", place: { kind: "place", x: 1 } },
  ];
  for (const body of refused) expect((await ours.write(body)).at("code")).toBe("request.invalid");
  const { body } = await ours.write({ text: "👩‍👩‍👧".repeat(500), place: { kind: "place", x: -1.5, y: 2 } });
  const { id } = Object(body).comment;
  expect((await ours.write({ text: "Both", place, threadId: id })).at("code")).toBe("request.invalid");
  const answer = (await ours.write({ text: "Answer", threadId: id })).text("comment.id");
  expect((await ours.write({ text: "Deeper", threadId: answer })).at("code")).toBe("comment.not_found");
  expect((await ours.change(answer, { isResolved: true })).at("code")).toBe("request.invalid");
});

test("400 threads on one group are listed in pages after the group is removed", async () => {
  const botId = await makeBot();
  const [ours, theirs] = [as(admin, botId), as(reader, botId)];
  expect((await ours.write({ text: "🙂".repeat(limits.comments.characters), place })).at("code")).toBe(
    "request.invalid",
  );
  const emoji = "🙂".repeat(limits.comments.characters / 2);
  const texts = [emoji, ...Array.from({ length: 399 }, (_, index) => `Comment ${index}`)];
  for (const text of texts) expect((await ours.write({ text, place })).status).toBe(200);
  const { token } = admin;
  await api.client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { groups: [], edges: [] } } });
  const listed: unknown[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page = await theirs.list({ limit: 100, ...(cursor !== "" && { cursor }) });
    listed.push(...page.list("comments"));
    cursor = Object(page.body).nextCursor;
  }
  expect(textsOf(listed).toReversed()).toEqual(texts);
  expect(new Set(listed.map((one) => Object(one).place.id))).toEqual(new Set([place.id]));
});

test("an answer written during a comment's deletion preserves the thread", async () => {
  const botId = await makeBot();
  const { sql } = api.deps;
  const [ours, theirs] = [as(admin, botId), as(member, botId)];
  const id = (await ours.write({ text: "First", place })).text("comment.id");
  // An answer locks the thread, and the deletion waits for the lock.
  const ending = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const answer = sql.begin(async (transaction) => {
    await transaction`select from comments where id = ${id} for key share`;
    await transaction`
      insert into comments (id, bot_id, thread_id, user_id, text, mentions)
      values (${newId()}, ${botId}, ${id}, ${member.userId}, 'Answer', '{}')`;
    answered.resolve();
    await ending.promise;
  });
  await answered.promise;
  const removal = ours.remove(id);
  await waitFor(async () => {
    const [waiting] = await sql`
      select
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
        and query like '%thread_id from comments%'`;
    return waiting !== undefined;
  });
  ending.resolve();
  await answer;
  expect((await removal).status).toBe(200);
  const left = (await ours.list()).list("comments").map((one) => Object(one));
  expect(left.map(({ text, isRemoved }) => [text, isRemoved])).toEqual([
    ["Answer", false],
    ["", true],
  ]);
  // Deleting the last answer also removes the empty thread, even if two answers are deleted concurrently.
  const second = (await theirs.write({ text: "Second", threadId: id })).text("comment.id");
  await Promise.all([ours.remove(left[0]?.id), ours.remove(second)]);
  expect((await ours.list()).list("comments")).toEqual([]);
});

test("a comment that mentions a former collaborator can be edited", async () => {
  const botId = await makeBot();
  const ours = as(admin, botId);
  const gone = await api.makeUser();
  const { sql } = api.deps;
  await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${gone.userId}, 'READ')`;
  const id = (await ours.write({ text: `Hello <@${gone.userId}>`, place })).text("comment.id");
  await sql`delete from collaborators where bot_id = ${botId} and user_id = ${gone.userId}`;
  const edited = await ours.change(id, { text: `Hello, <@${gone.userId}>` });
  expect(edited.at("comment")).toMatchObject({ mentions: [{ userId: gone.userId }], editedAt: expect.any(String) });
  const stranger = await api.makeUser();
  expect((await ours.change(id, { text: `<@${stranger.userId}>` })).at("code")).toBe("request.invalid");
  expect((await ours.write({ text: `Hello <@${gone.userId}>`, place })).at("code")).toBe("request.invalid");
});

test("the number of comments per bot is limited", async () => {
  const botId = await makeBot();
  await api.deps.sql`
    insert into comments (id, bot_id, thread_id, text, mentions)
    select id, ${botId}, id, 'x', '{}'
    from (select gen_random_uuid() as id from generate_series(1, ${limits.comments.perBot - 1}::integer)) as made`;
  expect((await as(admin, botId).write({ text: "Last", place })).status).toBe(200);
  const full = await as(admin, botId).write({ text: "More", place });
  expect(full.at("code")).toBe("comment.too_many");
  expect(full.at("data")).toEqual({ most: limits.comments.perBot });
});

test("a person's mark for seen comments only moves forward", async () => {
  const botId = await makeBot();
  const ours = as(admin, botId);
  const { createdAt } = Object((await ours.write({ text: "New", place })).body).comment;
  expect((await ours.see(createdAt)).at("seenAt")).toBe(createdAt);
  expect((await ours.see("2020-01-01T00:00:00Z")).body).toEqual({ seenAt: createdAt });
  const now = (await ours.see("2999-01-01T00:00:00Z")).text("seenAt");
  expect(now < "2100").toBe(true);
  expect((await ours.list()).at("seenAt")).toBe(now);
  expect((await as(member, botId).list()).at("seenAt")).toBeNull();
});

test("comments are not part of a bot's flow, copy or publication", async () => {
  const botId = await makeBot();
  const { token } = admin;
  const words = "only among ourselves";
  await as(admin, botId).write({ text: words, place });
  const copied = await api.client.post(`/api/v1/bots/${botId}/duplicate`, { token, body: {} });
  expect((await as(admin, copied.text("bot.id")).list()).list("comments")).toEqual([]);
  const published = await api.client.post(`/api/v1/bots/${botId}/publish`, { token, body: { force: true } });
  const whole = await api.client.get(`/api/v1/bots/${botId}`, { token });
  expect(JSON.stringify([published.body, whole.body])).not.toContain(words);
  const { sql } = api.deps;
  const [flow] = await sql`select count(*) from flows where bot_id = ${botId} and content::text like ${`%${words}%`}`;
  expect(Number(flow?.["count"])).toBe(0);
  await sql`delete from bots where id = ${copied.text("bot.id")}`;
  expect((await as(admin, copied.text("bot.id")).list()).at("code")).toBe("bot.not_found");
});

test("a watcher of the draft gets an event after a comment is written or deleted", async () => {
  const botId = await makeBot();
  const { sql, log } = api.deps;
  const watch = createDraftWatch({ sql, log, clock: systemClock });
  const events: DraftEvent[] = [];
  const count = () => events.filter(({ kind }) => kind === "comments").length;
  const { tokenId } = Object((await sql`select id as token_id from api_tokens where user_id = ${admin.userId}`)[0]);
  const place_ = { botId, userId: admin.userId, callerId: tokenId, after: 0, knowsEdits: true };
  const end = watch.watch(place_, (event) => void events.push(event));
  const ours = as(admin, botId);
  await waitFor(async () => {
    await ours.write({ text: "Hello", place });
    watch.wake();
    return count() > 0;
  });
  const before = count();
  const { id } = Object((await ours.list()).list("comments")[0]);
  await ours.remove(id);
  watch.wake();
  await waitFor(async () => count() > before);
  end();
  await watch.close();
});
