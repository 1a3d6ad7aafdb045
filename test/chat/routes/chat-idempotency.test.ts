import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies } from "../../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let publicId: string;
let botId: string;
/** A second node on the same database. */
let otherNode: Client;

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  ({ publicId, botId } = await publish(
    api.client,
    { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
    nameAndEmail,
  ));
  const other = createApp(createDependencies(api.deps));
  otherNode = createClient({ handle: (request) => other.handle(request) });
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const key = (value: string) => ({ headers: { "Idempotency-Key": value } });
const answersOf = async (resultId: string) => {
  const result = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });
  return result.at("result.answers.*.content");
};

describe("the same key on a reply", () => {
  test("a second reply with the same key gets the stored response", async () => {
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    const first = await say(api.client, sessionId, "Ana", key("reply-1"));
    const again = await say(api.client, sessionId, "Ana", key("reply-1"));
    const elsewhere = await say(otherNode, sessionId, "Ana", key("reply-1"));

    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(elsewhere.body).toEqual(first.body);
    expect(await answersOf(started.text("resultId"))).toEqual(["Ana"]);
  });

  test("simultaneous replies with the same key cause one step", async () => {
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    const answers = await Promise.all(
      [api.client, otherNode, api.client, otherNode].map((client) => say(client, sessionId, "Ana", key("at-once"))),
    );

    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(answers.filter((answer) => answer.headers.get("idempotency-replayed") === null)).toHaveLength(1);
    expect(await answersOf(started.text("resultId"))).toEqual(["Ana"]);
  });

  test("a reply with the same key and another body is rejected", async () => {
    const started = await start(api.client, publicId);
    await say(api.client, started.text("sessionId"), "Ana", key("reply-1"));
    const answer = await say(api.client, started.text("sessionId"), "Bob", key("reply-1"));

    expect(answer).toMatchObject({ status: 422, body: { code: "idempotency.key_reused" } });
  });

  test("a request with the same key and a reordered body is the same request", async () => {
    const prefilledVariables = { Name: "Ana", Mail: "ana@example.com" };
    const started = await start(api.client, publicId, { prefilledVariables }, key("in-another-order"));
    const same = { prefilledVariables: { Mail: "ana@example.com", Name: "Ana" } };
    expect((await start(api.client, publicId, same, key("in-another-order"))).body).toEqual(started.body);

    const sessionId = started.text("sessionId");
    const first = await say(api.client, sessionId, { type: "text", text: "Ana" }, key("reply-1"));
    const again = await say(api.client, sessionId, { text: "Ana", type: "text" }, key("reply-1"));
    expect(again.body).toEqual(first.body);
  });

  test("a reply with the same key is answered after the session's end", async () => {
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    await say(api.client, sessionId, "Ana");
    const last = await say(api.client, sessionId, "ana@example.com", key("last"));
    const again = await say(api.client, sessionId, "ana@example.com", key("last"));

    expect(again.body).toEqual(last.body);
    expect(await say(api.client, sessionId, "more", key("new"))).toMatchObject({
      status: 404,
      body: { code: "session.ended" },
    });
  });

  test("replies with the same key in two sessions cause two steps", async () => {
    const [one, two] = [await start(api.client, publicId), await start(api.client, publicId)];
    const first = await say(api.client, one.text("sessionId"), "Ana", key("shared"));
    const second = await say(api.client, two.text("sessionId"), "Bob", key("shared"));

    expect(first.at("messages.0.content.plainText")).toContain("Ana");
    expect(second.at("messages.0.content.plainText")).toContain("Bob");
  });

  test("the key of a refused reply can be used for another reply", async () => {
    const started = await start(api.client, publicId);
    const refused = await say(api.client, started.text("sessionId"), { type: "command", command: "x" }, key("retry"));
    const taken = await say(api.client, started.text("sessionId"), "Ana", key("retry"));

    expect(refused.status).toBe(400);
    expect(taken.status).toBe(200);
  });

  test("a reply with an invalid key is rejected", async () => {
    const started = await start(api.client, publicId);
    const answer = await say(api.client, started.text("sessionId"), "Ana", key("with blanks"));
    expect(answer).toMatchObject({ status: 400, body: { code: "idempotency.key_invalid" } });
  });
});

describe("the same key on a start", () => {
  test("simultaneous starts with the same key create one session", async () => {
    const own = await publish(
      api.client,
      { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
      nameAndEmail,
    );
    const options = key("0123456789-abcdef");
    const answers = await Promise.all(
      [api.client, otherNode, api.client, otherNode].map((client) =>
        start(client, own.publicId, { prefilledVariables: { Name: "A" } }, options),
      ),
    );
    const results = await api.client.get(`/api/v1/bots/${own.botId}/results`, { token: owner.token });

    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(results.list("results")).toHaveLength(1);
  });

  test("a start with the same key and another body is rejected", async () => {
    const other = await publish(
      api.client,
      { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
      nameAndEmail,
    );
    const first = await start(api.client, publicId, {}, key("fedcba-9876543210"));

    expect(await start(api.client, publicId, { message: "x" }, key("fedcba-9876543210"))).toMatchObject({
      status: 422,
      body: { code: "idempotency.key_reused" },
    });
    const elsewhere = await start(api.client, other.publicId, {}, key("fedcba-9876543210"));
    expect(elsewhere.text("sessionId")).not.toBe(first.text("sessionId"));
  });

  test("a start's key still belongs to the same bot after its public id changes", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const author = { token: owner.token, workspaceId };
    const [own, other] = [
      await publish(api.client, author, nameAndEmail),
      await publish(api.client, author, nameAndEmail),
    ];
    const options = key("kept-over-another-name");
    const body = { prefilledVariables: { Name: "A" } };
    const rename = (botId: string, name: string) =>
      api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { publicId: name } } });
    const first = await start(api.client, own.publicId, body, options);
    const name = `named-${own.publicId}`;
    await rename(own.botId, name);
    await rename(other.botId, own.publicId);

    for (const client of [api.client, otherNode]) {
      expect((await start(client, name, body, options)).body).toEqual(first.body);
      expect((await start(client, name.toUpperCase(), body, options)).body).toEqual(first.body);
    }
    expect((await start(api.client, name, {}, options)).at("code")).toBe("idempotency.key_reused");
    expect((await start(api.client, own.publicId, body, options)).text("sessionId")).not.toBe(first.text("sessionId"));
    const results = await api.client.get(`/api/v1/bots/${own.botId}/results`, { token: owner.token });
    expect(results.list("results")).toHaveLength(1);
  });

  test("the key of a start must have at least sixteen characters", async () => {
    expect((await start(api.client, publicId, {}, key("sixteen-letters."))).status).toBe(200);
    expect((await start(api.client, publicId, {}, key("fifteen-letters"))).at("code")).toBe(
      "idempotency.key_too_short",
    );
    expect(await start(api.client, publicId, {}, key("short"))).toMatchObject({
      status: 400,
      body: { code: "idempotency.key_too_short" },
    });
  });
});

describe("concurrent replies without keys", () => {
  test("concurrent replies without keys are processed one after another", async () => {
    const questions = Array.from({ length: 6 }, (_, index) => ({ ...asks("text input"), id: `q${index}` }));
    const bot = await publish(
      api.client,
      { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
      flowOf([...questions, says("End")]),
    );
    const started = await start(api.client, bot.publicId);
    const words = ["a", "b", "c", "d", "e", "f"];
    const answers = await Promise.all(
      words.map((word, index) => say(index % 2 === 0 ? api.client : otherNode, started.text("sessionId"), word)),
    );
    const result = await api.client.get(`/api/v1/bots/${bot.botId}/results/${started.text("resultId")}`, {
      token: owner.token,
    });

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(result.at("result.answers.*.blockId")).toEqual(["q0", "q1", "q2", "q3", "q4", "q5"]);
    expect(result.list("result.answers.*.content").toSorted()).toEqual(words);
  });

  test("concurrent replies without keys are refused above the queue's limit", async () => {
    const questions = Array.from({ length: 30 }, (_, index) => ({ ...asks("text input"), id: `q${index}` }));
    const bot = await publish(
      api.client,
      { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
      flowOf(questions),
    );
    const started = await start(api.client, bot.publicId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => say(api.client, started.text("sessionId"), "x")),
    );
    const busy = answers.filter((answer) => answer.status === 409);

    expect(busy.length).toBe(20 - 1 - 8);
    expect(busy[0]?.body).toMatchObject({ code: "session.busy" });
    expect(busy[0]?.headers.get("retry-after")).toBe("2");
  });
});

describe("an overloaded service", () => {
  test("an overloaded service rejects further starts with 503 and Retry-After", async () => {
    const slow = createThreads({ count: 1, queue: 1 });
    // Without a ready thread, the steps would wait for their flow to be compiled on the main thread.
    await slow.ready();
    const app = createApp(createDependencies({ ...api.deps, threads: slow }));
    const client = createClient({ handle: (request) => app.handle(request) });
    const answers = await Promise.all(Array.from({ length: 12 }, () => start(client, publicId)));
    await slow.close();
    const refused = answers.filter((answer) => answer.status === 503);

    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body).toMatchObject({ code: "server.overloaded" });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    expect(answers.some((answer) => answer.status === 200)).toBe(true);
  });
});

describe("a save whose connection breaks", () => {
  const broken = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });

  test("a reply is stored once if its connection breaks after the commit", async () => {
    const { saves } = api.deps;
    let isFirst = true;
    const flaky = {
      ...saves,
      steps: {
        async save(row: Parameters<typeof saves.steps.save>[0]) {
          const isSaved = await saves.steps.save(row);
          if (!isFirst) return isSaved;
          isFirst = false;
          throw broken;
        },
      },
    };
    const app = createApp({ ...api.deps, saves: flaky });
    const client = createClient({ handle: (request) => app.handle(request) });
    const started = await start(client, publicId);
    const answer = await say(client, started.text("sessionId"), "Ana");

    expect(answer.status).toBe(200);
    expect(await answersOf(started.text("resultId"))).toEqual(["Ana"]);
  });

  test("a save whose connection breaks before the commit is retried", async () => {
    const { saves } = api.deps;
    let isFirst = true;
    const flaky = {
      ...saves,
      steps: {
        async save(row: Parameters<typeof saves.steps.save>[0]) {
          if (!isFirst) return saves.steps.save(row);
          isFirst = false;
          throw broken;
        },
      },
    };
    const app = createApp({ ...api.deps, saves: flaky });
    const client = createClient({ handle: (request) => app.handle(request) });
    const started = await start(client, publicId);

    expect((await say(client, started.text("sessionId"), "Ana")).status).toBe(200);
    expect(await answersOf(started.text("resultId"))).toEqual(["Ana"]);
  });

  test("a save whose first attempt arrives during its second attempt is stored once", async () => {
    const { saves } = api.deps;
    let tries = 0;
    const flaky = {
      ...saves,
      steps: {
        async save(row: Parameters<typeof saves.steps.save>[0]) {
          tries++;
          if (tries === 1) throw broken;
          if (tries === 2) await saves.steps.save(row);
          return saves.steps.save(row);
        },
      },
    };
    const app = createApp({ ...api.deps, saves: flaky });
    const client = createClient({ handle: (request) => app.handle(request) });
    const started = await start(client, publicId);

    expect((await say(client, started.text("sessionId"), "ana@example.com")).status).toBe(200);
    expect(await answersOf(started.text("resultId"))).toEqual(["ana@example.com"]);
  });

  test("a start succeeds if its first save arrives during its second save", async () => {
    const { saves } = api.deps;
    let tries = 0;
    const flaky = {
      ...saves,
      starts: {
        async save(row: Parameters<typeof saves.starts.save>[0]) {
          tries++;
          if (tries === 1) throw broken;
          if (tries === 2) await saves.starts.save(row);
          return saves.starts.save(row);
        },
      },
    };
    const app = createApp({ ...api.deps, saves: flaky });
    const client = createClient({ handle: (request) => app.handle(request) });
    const started = await start(client, publicId);

    expect(started.status).toBe(200);
    expect((await say(client, started.text("sessionId"), "Ana")).status).toBe(200);
  });

  test("a start whose save is retried succeeds even if its bot closes meanwhile", async () => {
    const { saves } = api.deps;
    const bot = await publish(
      api.client,
      { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
      nameAndEmail,
    );
    let tries = 0;
    const flaky = {
      ...saves,
      starts: {
        async save(row: Parameters<typeof saves.starts.save>[0]) {
          tries++;
          if (tries !== 2) return saves.starts.save(row);
          await api.client.patch(`/api/v1/bots/${bot.botId}`, {
            token: owner.token,
            body: { bot: { isClosed: true } },
          });
          throw broken;
        },
      },
    };
    const app = createApp({ ...api.deps, saves: flaky });
    const client = createClient({ handle: (request) => app.handle(request) });
    await start(client, bot.publicId);
    const started = await start(client, bot.publicId);

    expect(started.status).toBe(200);
    expect((await say(client, started.text("sessionId"), "Ana")).status).toBe(200);
    expect((await start(client, bot.publicId)).at("code")).toBe("bot.closed");
  });

  test("a reply is stored once if another reply follows its broken connection", async () => {
    const { saves } = api.deps;
    let isFirst = true;
    const flaky = {
      ...saves,
      steps: {
        async save(row: Parameters<typeof saves.steps.save>[0]) {
          const isSaved = await saves.steps.save(row);
          if (!isFirst) return isSaved;
          isFirst = false;
          await say(otherNode, row.sessionId, "ana@example.com");
          throw broken;
        },
      },
    };
    const app = createApp({ ...api.deps, saves: flaky });
    const client = createClient({ handle: (request) => app.handle(request) });
    const started = await start(client, publicId);

    expect((await say(client, started.text("sessionId"), "Ana")).status).toBe(200);
    expect(await answersOf(started.text("resultId"))).toEqual(["Ana", "ana@example.com"]);
  });

  test("a save is reported as uncertain if the connection stays broken", async () => {
    const app = createApp({ ...api.deps, saves: { ...api.deps.saves, steps: { save: () => Promise.reject(broken) } } });
    const client = createClient({ handle: (request) => app.handle(request) });
    const started = await start(client, publicId);
    const answer = await say(client, started.text("sessionId"), "Ana");

    expect(answer).toMatchObject({ status: 503, body: { code: "server.save_in_doubt" } });
    expect(answer.headers.get("retry-after")).toBe("2");
  }, 15_000);
});
