import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import type { SafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { AppError } from "../../../src/errors.ts";
import type { Statements } from "../../../src/platform/database/sql.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import type { Answer } from "../../support/client.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { waitFor } from "../../support/wait.ts";
import { createDueWorld, type DueWorld } from "./due-world.ts";

/** How long an HTTP call takes, by the database's clock. */
const slowSeconds = 40;
const minute = 60_000;
/** Far shorter than the call, and far longer than a statement takes on any machine. */
const near = 20_000;

let world: DueWorld;
let server: OutsideServer;
/** Called while the server answers. */
let meanwhile: () => Promise<void>;
let isBroken = false;
let other: string;

beforeAll(async () => {
  server = await startOutside(async (_, response) => {
    await meanwhile();
    response.end("{}");
  });
  const safeFetch = outsideFetch();
  const sometimesBroken: SafeFetch = (request) =>
    isBroken ? Promise.reject(new AppError("server.overloaded")) : safeFetch(request);
  world = await createDueWorld({ safeFetch: sometimesBroken });
  const bot = await world.make(nameAndEmail);
  other = (await start(client(), bot.publicId)).text("sessionId");
});
afterEach(async () => {
  isBroken = false;
  await moveClock(sql(), 0);
  await readByOthers();
  await sql()`truncate due_steps`;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const client = () => world.api.client;
const sql = () => world.api.deps.sql;
/** Reads a session, as a step of another visitor would. This process reads the database's clock with every session. */
const readByOthers = async () => void (await world.api.deps.reads.sessions.add({ id: other, key: null }));
const slowly = (seconds = slowSeconds) => {
  meanwhile = async () => {
    await moveClock(sql(), seconds);
    await readByOthers();
  };
};

const call = () => ({ id: "call", type: "Webhook", options: { webhook: { url: server.url(), method: "POST" } } });
const noted = {
  id: "noted",
  type: "Set variable",
  options: { variableId: idOf("Name"), type: "Now" },
};
const nobody = { after: 60, outgoingEdgeId: idOf("e1") };
const timed = () => asks("email input", { timeout: nobody });
const later = [says("Are you there?"), asks("url input")];

type Row = { readonly kind: string; readonly due: Date; readonly createdAt: Date };
async function row(): Promise<Row> {
  const [found] = await sql()<Row[]>`select kind, due, created_at from due_steps`;
  if (!found) throw new Error("Nothing is due");
  return found;
}

/** Expects that a visitor has `ms` milliseconds to answer after the question is shown. */
async function expectWholeTime(shown: Answer | string, ms: number): Promise<void> {
  const { due, createdAt } = await row();
  const given = due.getTime() - createdAt.getTime();
  expect(given).toBeGreaterThanOrEqual(ms);
  expect(given).toBeLessThan(ms + near);
  const goesOnAt = Date.parse(typeof shown === "string" ? shown : shown.text("goesOnAt"));
  expect(Math.abs(due.getTime() - goesOnAt)).toBeLessThan(near);
}

async function startWith(flow: object) {
  const { publicId, botId } = await world.make(flow);
  const started = await start(client(), publicId);
  return { started, botId, sessionId: started.text("sessionId") };
}

describe("the time-out of a question after a slow call", () => {
  const kinds: readonly (readonly [name: string, asking: () => object, ms: number])[] = [
    ["an input", timed, minute],
    ["an input whose time is in a variable", () => asks("date input", { timeout: { after: "{{Name}}" } }), minute],
    ["a wait", () => ({ id: "wait", type: "Wait", options: { secondsToWaitFor: "90", shouldPause: true } }), 90_000],
    ["a call from outside", () => ({ id: "listen", type: "webhook", options: { timeout: nobody } }), minute],
  ];

  test.each(kinds)("the time of %s starts only after the slow call that a reply causes", async (_, asking, ms) => {
    const { sessionId } = await startWith(
      flowOf([asks("text input", { variableId: idOf("Name") }), call(), asking(), asks("number input")], later),
    );
    slowly();

    await expectWholeTime(await say(client(), sessionId, "60"), ms);
  });

  test("a question's time limit starts after a slow call in the first step of a chat", async () => {
    slowly();

    await expectWholeTime((await startWith(flowOf([call(), timed()], later))).started, minute);
  });

  test("a question's time limit starts after a slow call in a start with a message", async () => {
    const { publicId } = await world.make(flowOf([asks("text input"), call(), timed()], later));
    slowly();

    await expectWholeTime(await start(client(), publicId, { message: "Ana" }), minute);
  });

  test("a question's time limit starts after a slow call in a preview", async () => {
    const owner = { token: world.owner.token, workspaceId: await world.api.makeWorkspace(world.owner) };
    const { botId } = await publish(client(), owner, flowOf([call(), timed()], later));
    slowly();

    const path = `/api/v1/bots/${botId}/preview/startChat`;
    await expectWholeTime(await client().post(path, { token: owner.token, body: {} }), minute);
  });

  test("a question's time limit starts after a slow call in a due step", async () => {
    const flow = flowOf(
      [asks("text input", { timeout: nobody })],
      [call(), asks("url input", { timeout: { after: 60 } })],
    );
    const { sessionId } = await startWith(flow);
    slowly(61 + slowSeconds);
    await moveClock(sql(), 61);

    await waitFor(async () => {
      world.due.wake();
      return (await world.read(sessionId)).at("session.input.type") === "url input";
    });

    await expectWholeTime((await world.read(sessionId)).text("session.steps.1.goesOnAt"), minute);
  });

  test("a question's time limit starts after a slow call if the clock must be queried", async () => {
    const { sessionId } = await startWith(flowOf([asks("text input"), call(), timed()], later));
    const reading = spyOn(world.api.deps.databaseClock, "now").mockReturnValue(undefined);
    meanwhile = () => moveClock(sql(), slowSeconds);

    const asked = await say(client(), sessionId, "Ana").finally(() => reading.mockRestore());

    await expectWholeTime(asked, minute);
  });

  test("the preset `Now` after a slow call stores the start of the step", async () => {
    const flow = flowOf([asks("text input"), call(), noted, says("{{Name}}"), timed()], later);
    const { sessionId } = await startWith(flow);
    slowly();
    const [now] = await sql()<[{ now: Date }]>`select clock() as now`;

    const asked = await say(client(), sessionId, "Ana");

    const written = Date.parse(asked.text("messages.0.content.plainText"));
    expect(Math.abs(written - now.now.getTime())).toBeLessThan(near);
  });
});

test("a slow call of a reply event does not shorten the question's time limit", async () => {
  const events = [...flowOf().events, { id: idOf("replied"), type: "reply", options: {}, outgoingEdgeId: idOf("e1") }];
  const back = { id: "back", type: "Return" };
  const { publicId } = await world.make({ ...flowOf([timed()], [call(), back]), events });
  slowly();

  const started = await start(client(), publicId, { message: "no e-mail" });

  expect(started.at("input.type")).toBe("email input");
  await expectWholeTime(started, minute);
});

test("a retried step stores the start of its failed attempt as `Now`", async () => {
  const flow = flowOf([asks("text input"), call(), noted, says("{{Name}}"), timed()], later);
  const { sessionId } = await startWith(flow);
  meanwhile = async () => {};
  const options = { headers: { "Idempotency-Key": "the-reply" } };
  isBroken = true;
  const [began] = await sql()<[{ now: Date }]>`select clock() as now`;
  expect((await say(client(), sessionId, "Ana", options)).status).toBe(503);
  isBroken = false;
  await moveClock(sql(), 1_000);

  const asked = await say(client(), sessionId, "Ana", options);

  const written = Date.parse(asked.text("messages.0.content.plainText"));
  expect(Math.abs(written - began.now.getTime())).toBeLessThan(near);
  await expectWholeTime(asked, minute);
  const before = await row();
  await moveClock(sql(), 1_010);
  const again = await say(client(), sessionId, "Ana", options);
  expect([again.headers.get("idempotency-replayed"), again.body]).toEqual(["true", asked.body]);
  expect(await row()).toEqual(before);
});

test("a start that is retried in a new version gives its question the full time", async () => {
  const { botId, publicId } = await world.make(flowOf([call(), timed()], later));
  const options = { headers: { "Idempotency-Key": "the-start-of-this-chat" } };
  isBroken = true;
  expect((await start(client(), publicId, {}, options)).status).toBe(503);
  const { token } = world.owner;
  const bot = flowOf([timed()], later);
  expect((await client().patch(`/api/v1/bots/${botId}`, { token, body: { bot, overwrite: true } })).status).toBe(200);
  await client().post(`/api/v1/bots/${botId}/publish`, { token, body: { force: true } });
  await moveClock(sql(), 1_000);

  await expectWholeTime(await start(client(), publicId, {}, options), minute);
});

test("a question's time limit starts when its row is written", async () => {
  const { sessionId } = await startWith(flowOf([asks("text input"), timed()], later));
  const lock = (statements: Statements) => statements`select from sessions where id = ${sessionId} for update`;
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = sql().begin(async (statements) => {
    await lock(statements);
    held.resolve();
    await released.promise;
  });
  await held.promise;

  const asked = say(client(), sessionId, "Ana");
  const releasedAt = await waitFor(async () => {
    const [waiting] = await sql()<[{ now: Date } | undefined]>`
      select date_trunc('milliseconds', clock_timestamp()) as now
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
        and query_start < clock_timestamp() - interval '5 milliseconds'`;
    return waiting?.now;
  });
  released.resolve();
  await holding;

  expect((await asked).status).toBe(200);
  expect((await row()).due.getTime()).toBeGreaterThanOrEqual(releasedAt.getTime() + minute);
});

test("a chat whose question followed a slow call is replayed without a difference", async () => {
  const flow = (answered: string) =>
    flowOf([asks("text input"), call(), says("Hello"), timed(), says(answered), asks("number input")], later);
  const { sessionId, botId } = await startWith(flow("Answered"));
  slowly();
  await say(client(), sessionId, "Ana");
  await say(client(), sessionId, "ana@example.com");

  const steps = await sql()<{ inputs: string }[]>`
    select inputs from steps where session_id = ${sessionId} order by revision`;
  const [started, waited, plain] = steps.map(({ inputs }): unknown[] => JSON.parse(inputs));
  expect([started?.length, plain?.length]).toEqual([2, 2]);
  const [now, , more] = waited ?? [];
  const askedAt = Number(Object(more).askedAt);
  expect(askedAt - Number(now)).toBeGreaterThanOrEqual(slowSeconds * 1_000);

  const { token } = world.owner;
  const impact = async (body: object) => (await client().post(`/api/v1/bots/${botId}/impact`, { token, body })).body;
  expect(await impact({ version: "1" })).toMatchObject({ results: 1, same: 1, notReplayable: [] });
  // A difference only counts if the chat's own version reproduces every response byte for byte.
  expect(await impact({ bot: flow("Thanks") })).toMatchObject({ results: 1, changed: 1, notReplayable: [] });
});
