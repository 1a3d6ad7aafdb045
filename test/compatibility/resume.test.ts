import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { shardOf } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, say, says } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { publishTypebot, remembering } from "./bot.ts";
import { openPage } from "./existing-client.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const published = (flow: object) => publishTypebot(api.client, { token: owner.token, workspaceId }, flow);
const text = (words: string) => ({ type: "text", text: words });
const resultOf = async (typebotId: string, resultId: unknown) =>
  (await api.client.get(`/api/v1/typebots/${typebotId}/results/${resultId}`, { token: owner.token })).at("result");
const expired = (sessionId: string) => api.deps.sql`
  update sessions set expires_at = clock() where shard = ${shardOf(sessionId)} and id = ${sessionId}`;

/** Returns a function that opens the page again with the same browser storage. */
function visitor(publicId: string) {
  const storage = new Map<string, string>();
  return () => openPage({ handle: api.handle, publicId, storage });
}

describe("a page after a reload", () => {
  test("a chat continues in its old session after a reload", async () => {
    const { typebotId, publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Ada"));
    const again = await load();
    expect(again.seen()).toEqual(["Your name?", "Hello Ada, and your e-mail?"]);
    expect(again.sessionId()).toBe(first.sessionId());
    expect(again.sent[0]?.body).toMatchObject({ resultId: first.started()?.resultId });
    await again.answer(text("ada@example.com"));

    expect(again.isOver()).toBe(true);
    expect(await resultOf(typebotId, first.started()?.resultId)).toMatchObject({
      isCompleted: true,
      answers: [{ content: "Ada" }, { content: "ada@example.com" }],
      variables: [
        { name: "Name", value: "Ada" },
        { name: "Email", value: "ada@example.com" },
      ],
    });
  });

  test("a chat continues after a reload even if the visitor has not answered yet", async () => {
    const { publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    const again = await load();
    await again.answer(text("Ada"));

    expect(again.sessionId()).toBe(first.sessionId());
    expect(again.seen()).toEqual(["Your name?", "Hello Ada, and your e-mail?"]);
  });

  test("a reply that is sent again after a reload is stored once", async () => {
    const { typebotId, publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await say(api.client, first.sessionId(), text("Ada"));
    const again = await load();
    await again.answer(text("Ada"));

    expect(again.seen()).toEqual(["Your name?", "Hello Ada, and your e-mail?"]);
    expect(again.input()?.["type"]).toBe("email input");
    await again.answer(text("Ada"));
    expect(again.seen()).toHaveLength(3);
    await again.answer(text("ada@example.com"));
    expect(await resultOf(typebotId, first.started()?.resultId)).toMatchObject({
      answers: [{ content: "Ada" }, { content: "ada@example.com" }],
    });
  });

  test("a last reply that is sent again returns the chat's end", async () => {
    const { typebotId, publicId } = await published({ ...flowOf([asks("text input"), says("Bye")]), ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await say(api.client, first.sessionId(), text("Ada"));
    const again = await load();
    await again.answer(text("Ada"));

    expect(again.seen()).toEqual(["Bye"]);
    expect(again.isOver()).toBe(true);
    expect(await resultOf(typebotId, first.started()?.resultId)).toMatchObject({ answers: [{ content: "Ada" }] });
  });

  test("a reply that differs from the last reply counts as a new reply", async () => {
    const twice = flowOf([asks("text input"), { ...asks("text input"), id: "second" }, says("Bye")]);
    const { typebotId, publicId } = await published({ ...twice, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Ada"));
    const again = await load();
    await again.answer(text("Grace"));

    expect(again.seen()).toEqual(["Bye"]);
    expect(await resultOf(typebotId, first.started()?.resultId)).toMatchObject({
      answers: [{ content: "Ada" }, { content: "Grace" }],
    });
  });

  test("several tabs that open simultaneously continue one session", async () => {
    const { typebotId, publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Ada"));
    const tabs = await Promise.all(Array.from({ length: 8 }, load));

    expect(tabs.map((tab) => tab.sessionId())).toEqual(Array(8).fill(first.sessionId()));
    expect(await resultOf(typebotId, first.started()?.resultId)).toMatchObject({ answers: [{ content: "Ada" }] });
  });

  test("a chat that has ended stays ended after a reload", async () => {
    const counting = {
      ...flowOf([
        asks("text input"),
        { id: "score", type: "Set variable", options: { variableId: idOf("Score"), expressionToEvaluate: "42" } },
        says("You have {{Score}} points"),
      ]),
      variables: [{ id: idOf("Score"), name: "Score", value: "0" }],
      ...remembering,
    };
    const { typebotId, publicId } = await published(counting);
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Go"));
    const before = await resultOf(typebotId, first.started()?.resultId);
    const again = await load();

    expect(again.isOver()).toBe(true);
    expect(again.seen()).toEqual(["You have 42 points"]);
    expect(before).toMatchObject({ variables: [{ name: "Score", value: "42" }], isCompleted: true });
    expect(await resultOf(typebotId, first.started()?.resultId)).toEqual(before);
  });

  test("a chat restarts after a reload if its bot was published again", async () => {
    const { typebotId, publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Ada"));
    await api.client.post(`/api/v1/typebots/${typebotId}/publish`, { token: owner.token });
    const again = await load();

    expect(again.sessionId()).not.toBe(first.sessionId());
    expect(again.started()?.resultId).toBe(first.started()?.resultId);
    expect(again.seen()).toEqual(["Your name?"]);
    await again.answer(text("Grace"));
    expect(await resultOf(typebotId, first.started()?.resultId)).toMatchObject({
      answers: [{ content: "Ada" }, { content: "Grace" }],
    });
  });

  test("a chat whose session has expired restarts after a reload with a new result", async () => {
    const { typebotId, publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Ada"));
    await expired(first.sessionId());
    const again = await load();

    expect(again.seen()).toEqual(["Your name?"]);
    expect(again.sessionId()).not.toBe(first.sessionId());
    const resultId = again.started()?.resultId;
    expect(resultId).not.toBe(first.started()?.resultId);
    expect(await resultOf(typebotId, resultId)).toMatchObject({
      hasStarted: false,
      answers: [],
      variables: [{ name: "Name", value: "Ada" }],
    });
    await again.answer(text("Ada"));
    expect(again.input()?.["type"]).toBe("email input");
  });

  test("a reload extends the session to its full lifetime", async () => {
    const { publicId } = await published({ ...nameAndEmail, ...remembering });
    const load = visitor(publicId);
    const first = await load();
    const sessionId = first.sessionId();
    await api.deps.sql`
      update sessions set expires_at = clock() + interval '1 minute'
      where shard = ${shardOf(sessionId)} and id = ${sessionId}`;
    await load();

    const [row] = await api.deps.sql<{ days: number }[]>`
      select extract(day from expires_at - clock())::int as days
      from sessions where shard = ${shardOf(sessionId)} and id = ${sessionId}`;
    expect(row?.days).toBeGreaterThanOrEqual(29);
  });

  test("a chat restarts after a reload if its bot forgets visitors", async () => {
    const { publicId } = await published(nameAndEmail);
    const load = visitor(publicId);
    const first = await load();
    await first.answer(text("Ada"));
    const again = await load();

    expect(again.seen()).toEqual(["Your name?"]);
    expect(again.started()?.resultId).not.toBe(first.started()?.resultId);
  });

  test("a result of another bot, or a missing result, is not continued", async () => {
    const one = await published({ ...nameAndEmail, ...remembering });
    const other = await published({ ...nameAndEmail, ...remembering });
    const first = await visitor(one.publicId)();
    const resultId = first.started()?.resultId;
    const begun = (id: unknown) =>
      api.client.post(`/api/v1/typebots/${other.publicId}/startChat`, { body: { resultId: id } });

    expect((await begun(resultId)).text("resultId")).not.toBe(resultId ?? "");
    expect((await begun("nonsense")).status).toBe(200);
  });
});
