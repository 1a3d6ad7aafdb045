import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { claimStep, endClaim } from "../../../src/chat/reads/sessions.sql.ts";
import { createClaimRenewals } from "../../../src/chat/saves/claim-renewals.sql.ts";
import { claimStart } from "../../../src/chat/saves/save-starts.sql.ts";
import { type ClaimStatements, type ClaimTimes, createClaim } from "../../../src/chat/steps/claims.ts";
import { newSeed } from "../../../src/chat/steps/session-source.ts";
import { LostRace } from "../../../src/core/interpreter/step-errors.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies, type Dependencies } from "../../../src/service/dependencies.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { dueMessages, putEndpoint } from "../../support/events.ts";
import { type OutsideRequest, outsideFetch, startOutside } from "../../support/outside.ts";
import { cleanupStack } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: { token: string; workspaceId: string };
const cleanups = cleanupStack();

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  const user = await api.makeUser();
  owner = { token: user.token, workspaceId: await api.makeWorkspace(user) };
});
afterAll(async () => {
  await threads.close();
  await api.close();
});
afterEach(cleanups.run);

const short: ClaimTimes = { seconds: 0.6, renewMs: 100 };
/** Simulates a process that hangs and renews no claim in time. */
const standingStill: ClaimTimes = { seconds: 0.3, renewMs: 600_000 };

function node(claimTimes: ClaimTimes, more: Partial<Dependencies> = {}): Client {
  const deps = createDependencies({ ...api.deps, claimTimes });
  const app = createApp({ ...deps, ...more });
  return createClient({ handle: (request) => app.handle(request) });
}

type Receiver = {
  readonly url: string;
  readonly requests: readonly OutsideRequest[];
  /** Answers the waiting call. Later calls are answered immediately. */
  release(): void;
};

/** Starts a fake server that leaves the first call of the path `slow` unanswered until the test releases it. */
async function openReceiver(slow: string): Promise<Receiver> {
  const released = Promise.withResolvers<void>();
  const seen = new Set<string>();
  const server = await startOutside(async ({ path }, response) => {
    const isFirst = !seen.has(path);
    seen.add(path);
    if (path === slow && isFirst) await released.promise;
    response.end('{"word":"done"}');
  });
  cleanups.add(server.close);
  cleanups.add(released.resolve);
  return { url: server.url(""), requests: server.requests, release: released.resolve };
}

function calls(url: string, id: string) {
  return {
    id,
    type: "Webhook",
    options: { isAdvancedConfig: true, isCustomBody: true, webhook: { url, method: "POST", body: '{"a":"{{Name}}"}' } },
  };
}

const draws = {
  id: "draws",
  type: "Set variable",
  options: { variableId: idOf("Name"), expressionToEvaluate: "return String(Math.random())", isCode: true },
};

const told = ({ path, headers, body }: OutsideRequest) => `${path} ${String(headers["idempotency-key"])} ${body}`;

describe("a claim", () => {
  const times: ClaimTimes = { seconds: 10, renewMs: 4_000 };
  const ours = { take: async () => true, renew: async () => true, end: async () => {} };
  const outage = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });

  async function taken(statements: Partial<ClaimStatements> = {}) {
    const clock = createVirtualClock();
    const claim = createClaim({ ...ours, ...statements }, { claimTimes: times, clock });
    await claim.require();
    return { claim, clock };
  }

  test("a claim is renewed until the renewal is stopped", async () => {
    let renewals = 0;
    const { claim, clock } = await taken({ renew: async () => ++renewals > 0 });

    await clock.advance(30_000);
    expect(renewals).toBe(7);
    expect(claim.mayGoOn()).toBe(true);
    claim.stop();
    await clock.advance(30_000);
    expect(renewals).toBe(7);
  });

  test("claims of one process are renewed at the same time", async () => {
    const clock = createVirtualClock();
    const renewedAt: number[] = [];
    const take = async () => {
      const renew = async () => renewedAt.push(clock.now()) > 0;
      await createClaim({ ...ours, renew }, { claimTimes: times, clock }).require();
    };
    await clock.advance(1_000);
    await take();
    await clock.advance(1_500);
    await take();
    await clock.advance(6_000);

    expect(renewedAt).toEqual([4_000, 8_000, 8_000]);
  });

  test("a batch renews only claims that their own step still holds", async () => {
    const { publicId } = await publish(api.client, owner, flowOf([asks("text input")]));
    const claims = [];
    for (const kind of ["ours", "another's", "ended"]) {
      const sessionId = (await start(api.client, publicId)).text("sessionId");
      const stepId = newId();
      const claimed = { requestHash: "00", now: new Date(), seed: newSeed(), revision: 1, seconds: 0.2 };
      await claimStep(api.deps.sql, { ...claimed, sessionId, stepId: kind === "another's" ? newId() : stepId });
      if (kind === "ended") await endClaim(api.deps.sql, { sessionId, stepId });
      claims.push({ sessionId, stepId, seconds: 60 });
    }
    cleanups.add(async () => void (await api.deps.sql`update sessions set claim_until = null`));
    const batches: number[] = [];
    const renewals = createClaimRenewals(api.deps.sql, (_, { rows }) => batches.push(rows));

    expect(await Promise.all(claims.map((claim) => renewals.add(claim)))).toEqual([true, false, false]);
    expect(batches).toEqual([3]);
  });

  // Both nodes read the session before either claims it. One node claims the session, makes a call, and dies. The other
  // node is suspended until the claim has expired.
  test("an expired claim of the same request is acquired only with the same seed", async () => {
    const { sql } = api.deps;
    cleanups.add(async () => void (await sql`update sessions set claim_until = null`));
    const { publicId } = await publish(api.client, owner, flowOf([asks("text input")]));
    const sessionId = (await start(api.client, publicId)).text("sessionId");
    const common = { sessionId, now: new Date(), requestHash: "0a", seconds: 0 };
    const [died, stoodStill] = [newSeed(), newSeed()];
    const takers = {
      session: (seed: string, requestHash = "0a") =>
        claimStep(sql, { ...common, requestHash, seed, stepId: newId(), revision: 1 }),
      start: (seed: string, requestHash = "0a") =>
        claimStart(sql, {
          ...{ ...common, requestHash, seed, stepId: newId(), resultId: null },
          ...{ scope: "s", key: sessionId, publicId: null },
        }),
    };
    for (const take of Object.values(takers)) {
      expect(await take(died)).toBe(true);
      expect(await take(stoodStill)).toBe(false);
      expect(await take(died)).toBe(true);
      // A request with different content does not reuse the calls.
      expect(await take(stoodStill, "0b")).toBe(true);
    }
  });

  test("a claim lasts from the time at which its statement was sent", async () => {
    const clock = createVirtualClock();
    const sending = Promise.withResolvers<boolean>();
    const claim = createClaim({ ...ours, take: () => sending.promise }, { claimTimes: times, clock });
    const requiring = claim.require();
    await clock.advance(9_999);
    sending.resolve(true);
    await requiring;
    claim.stop();

    expect(claim.mayGoOn()).toBe(true);
    await clock.advance(1);
    expect(claim.mayGoOn()).toBe(false);
  });

  test("a claim is lost if another process has acquired it", async () => {
    const { claim, clock } = await taken({ renew: async () => false });
    await clock.advance(4_000);

    expect(claim.mayGoOn()).toBe(false);
    await expect(claim.require()).rejects.toBeInstanceOf(LostRace);
  });

  test("a claim survives a short outage of the database", async () => {
    let renewals = 0;
    const { claim, clock } = await taken({
      async renew() {
        renewals++;
        if (renewals === 1) throw outage;
        return true;
      },
    });
    await clock.advance(11_000);

    expect(renewals).toBe(2);
    expect(claim.mayGoOn()).toBe(true);
    await claim.require();
  });

  test("a claim that may have expired is renewed before the next effect starts", async () => {
    let isAway = false;
    const { claim, clock } = await taken({
      async renew() {
        if (isAway) throw outage;
        return true;
      },
    });
    claim.stop();
    await clock.advance(20_000);
    await claim.require();
    expect(claim.mayGoOn()).toBe(true);
    await clock.advance(20_000);
    isAway = true;

    await expect(claim.require()).rejects.toBe(outage);
  });

  test("a claim is neither renewed nor released if it cannot be acquired", async () => {
    let ends = 0;
    const claim = createClaim(
      { ...ours, take: async () => false, end: async () => void ends++ },
      { claimTimes: times, clock: createVirtualClock() },
    );

    await expect(claim.require()).rejects.toBeInstanceOf(LostRace);
    await claim.end();
    expect([claim.isTaken(), ends]).toEqual([false, 0]);
  });

  test("a failure to release a claim is passed to the caller", async () => {
    const lost = new Error("the connection is gone");
    const claim = createClaim(
      { ...ours, end: () => Promise.reject(lost) },
      { claimTimes: times, clock: createVirtualClock() },
    );
    await claim.require();

    await expect(claim.end()).rejects.toBe(lost);
  });
});

describe("a step that performs an effect", () => {
  test("a step renews its claim for the duration of its effect", async () => {
    const receiver = await openReceiver("/slow");
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([asks("text input"), calls(`${receiver.url}/slow`, "one"), says("End")]),
    );
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    const claims = () => api.deps.sql<{ until: Date; isLive: boolean }[]>`
      select claim_until as until, claim_until > clock() as is_live
      from sessions
      where claim_until is not null`;

    const saying = say(node(short), sessionId, "Ana");
    const [first] = await waitFor(async () => ((await claims()).length === 1 ? claims() : undefined));
    // The claim is still valid after twice its own length.
    const until = (first?.until.getTime() ?? 0) + 2 * short.seconds * 1_000;
    const later = await waitFor(async () => {
      const [claim] = await claims();
      return claim && claim.until.getTime() > until ? claim : undefined;
    });
    receiver.release();

    expect(later.isLive).toBe(true);
    expect((await saying).status).toBe(200);
    expect(receiver.requests).toHaveLength(1);
    expect(await claims()).toHaveLength(0);
  });

  test("a step with an effect is continued by another node once its claim expires", async () => {
    const receiver = await openReceiver("/first");
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([
        asks("text input"),
        draws,
        calls(`${receiver.url}/first`, "one"),
        calls(`${receiver.url}/second`, "two"),
        says("{{Name}}"),
      ]),
    );
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    const options = { headers: { "Idempotency-Key": "the-same" } };

    const lost = say(node(standingStill), sessionId, "Ana", options);
    await waitFor(() => receiver.requests.length === 1);
    const answer = await say(node(short), sessionId, "Ana", options);
    receiver.release();

    expect(answer.status).toBe(200);
    // The suspended node performs nothing more, and returns the step that the other node saved.
    expect((await lost).body).toEqual(answer.body);
    const [first, again, second] = receiver.requests.map(told);
    expect(again).toBe(first);
    expect(second).toStartWith("/second ");
    expect(receiver.requests).toHaveLength(3);
  });

  test.each(["reply", "start"])(
    "a step of a %s whose node dies during the second call continues with the result of the first call",
    async (kind) => {
      const receiver = await openReceiver("/second");
      const gets = {
        ...calls(`${receiver.url}/first`, "one"),
        options: {
          webhook: { url: `${receiver.url}/first`, method: "POST" },
          isCustomBody: true,
          responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.word" }],
        },
      };
      const blocks = [draws, gets, calls(`${receiver.url}/second`, "two"), says("{{Name}}"), asks("email input")];
      const isStart = kind === "start";
      const { publicId } = await publish(api.client, owner, flowOf(isStart ? blocks : [asks("text input"), ...blocks]));
      const options = { headers: { "Idempotency-Key": `the-same-under-${kind}` } };
      const sessionId = isStart ? "" : (await start(api.client, publicId)).text("sessionId");
      const ask = (client: Client) =>
        isStart ? start(client, publicId, {}, options) : say(client, sessionId, "Ana", options);
      const kept = () => api.deps.sql`select from effect_reports`;

      const lost = ask(node(standingStill));
      await waitFor(() => receiver.requests.length === 2);
      expect(await kept()).toHaveLength(1);
      const answer = await ask(node(short));
      receiver.release();

      expect(answer.at("messages.*.content.plainText")).toEqual(["done"]);
      expect((await lost).body).toEqual(answer.body);
      const [, second, again] = receiver.requests.map(told);
      expect(receiver.requests.map(({ path }) => path)).toEqual(["/first", "/second", "/second"]);
      expect(again).toBe(second);
      await waitFor(async () => (await kept()).length === 0);
    },
  );

  test("a step performs its effect only once if an endpoint is added meanwhile", async () => {
    const receiver = await openReceiver("/slow");
    const { publicId, botId } = await publish(
      api.client,
      owner,
      flowOf([
        asks("text input"),
        calls(`${receiver.url}/slow`, "one"),
        says("End"),
        asks("text input", {}, { id: "two" }),
      ]),
    );
    const started = await start(api.client, publicId);
    const saying = say(node(short), started.text("sessionId"), "Ana");
    await waitFor(() => receiver.requests.length === 1);
    const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://receiver.example/", ...owner });
    receiver.release();
    const answer = await saying;

    expect(answer.status).toBe(200);
    expect(receiver.requests).toHaveLength(1);
    const result = await api.client.get(`/api/v1/bots/${botId}/results/${started.text("resultId")}`, owner);
    expect(result.at("result.answers.*.content")).toEqual(["Ana"]);
    const told = await dueMessages(api.deps.sql, endpointId);
    expect(told.map(({ type }) => type)).toEqual(["result.started", "result.answered"]);
  });

  test("a claimed session blocks steps of other nodes", async () => {
    const { publicId } = await publish(api.client, owner, flowOf([asks("text input"), says("End")]));
    const { saves, sql } = api.deps;
    const saved: boolean[] = [];
    const save = async (step: Parameters<typeof saves.steps.save>[0]): Promise<boolean> => {
      const isSaved = await saves.steps.save(step);
      saved.push(isSaved);
      return isSaved;
    };
    const other = node(short, { saves: { ...saves, steps: { ...saves.steps, save } } });
    const sessionId = (await start(other, publicId)).text("sessionId");
    await sql`
      update sessions
      set claim_until = clock() + interval '10 seconds', claim_step_id = gen_random_uuid(), claim_hash = '\\x00',
        claim_now = clock(), claim_seed = repeat('0', 32)
      where id = ${sessionId}`;
    const saying = say(other, sessionId, "Ana");
    await waitFor(() => saved.length === 1);
    await sql`
      update sessions
      set claim_until = clock()
      where id = ${sessionId}`;

    expect((await saying).status).toBe(200);
    expect(saved).toEqual([false, true]);
  });

  test("a step makes no further call after it has lost its claim", async () => {
    const receiver = await openReceiver("/none");
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([asks("text input"), calls(`${receiver.url}/first`, "one"), calls(`${receiver.url}/second`, "two")]),
    );
    const sessionId = (await start(api.client, publicId)).text("sessionId");
    const [keeping, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { reports } = api.deps;
    const standing = node(standingStill, {
      reports: {
        ...reports,
        async insert(...kept) {
          await reports.insert(...kept);
          keeping.resolve();
          await mayGoOn.promise;
        },
      },
    });
    const options = { headers: { "Idempotency-Key": "the-same" } };

    const lost = say(standing, sessionId, "Ana", options);
    await keeping.promise;
    const answer = await say(node(short), sessionId, "Ana", options);
    mayGoOn.resolve();

    expect((await lost).body).toEqual(answer.body);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/first", "/second"]);
  });

  test("a step does not retry a failed call after it has lost its claim", async () => {
    const receiver = await openReceiver("/busy");
    const holding = Promise.withResolvers<void>();
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([asks("text input"), calls(`${receiver.url}/busy`, "one"), says("End")]),
    );
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    let sent = 0;
    const failing = node(standingStill, {
      async safeFetch() {
        sent++;
        await holding.promise;
        return { status: 503, text: "" };
      },
    });
    const options = { headers: { "Idempotency-Key": "the-same" } };
    const lost = say(failing, sessionId, "Ana", options);
    await waitFor(() => sent === 1);
    receiver.release();
    const answer = await say(node(short), sessionId, "Ana", options);
    holding.resolve();

    expect((await lost).body).toEqual(answer.body);
    expect(sent).toBe(1);
  });
});

describe("a start that performs an effect", () => {
  test("a start renews the claim of its key for the duration of its effect", async () => {
    const receiver = await openReceiver("/slow");
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([calls(`${receiver.url}/slow`, "one"), calls(`${receiver.url}/next`, "two"), says("End")]),
    );
    const key = "a-start-that-takes-long";
    const claimedUntil = async () => {
      const [claim] = await api.deps.sql<{ until: Date }[]>`
        select claim_until as until
        from start_keys
        where key = ${key} and claim_until > clock()`;
      return claim?.until.getTime();
    };

    const starting = start(node(short), publicId, {}, { headers: { "Idempotency-Key": key } });
    const first = await waitFor(claimedUntil);
    await waitFor(async () => ((await claimedUntil()) ?? 0) > first + 2 * short.seconds * 1_000);
    receiver.release();

    expect((await starting).status).toBe(200);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/slow", "/next"]);
  });

  test("a start is not saved under another node's claim", async () => {
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    const server = await startOutside(async (_, response) => {
      await answers[asked++]?.promise;
      response.end("{}");
    });
    cleanups.add(server.close);
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([calls(server.url("/slow"), "one"), says("End"), asks("text input")]),
    );
    const { saves } = api.deps;
    const [saving, mayBeSaved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const saved: boolean[] = [];
    const standing = node(standingStill, {
      saves: {
        ...saves,
        starts: {
          async save(row) {
            saving.resolve();
            await mayBeSaved.promise;
            const isSaved = await saves.starts.save(row);
            saved.push(isSaved);
            return isSaved;
          },
        },
      },
    });
    const options = { headers: { "Idempotency-Key": "a-start-whose-claim-is-lost" } };

    answers[0]?.resolve();
    const lost = start(standing, publicId, {}, options);
    await saving.promise;
    const taking = start(node(short), publicId, {}, options);
    await waitFor(() => asked === 2, { what: "the node that takes it over" });
    mayBeSaved.resolve();
    await waitFor(() => saved.length === 1);
    answers[1]?.resolve();

    expect(saved).toEqual([false]);
    expect((await lost).body).toEqual((await taking).body);
  });

  test("a start with an effect is continued on another node once its claim expires", async () => {
    const receiver = await openReceiver("/first");
    const { publicId, botId } = await publish(
      api.client,
      owner,
      flowOf([
        draws,
        calls(`${receiver.url}/first`, "one"),
        calls(`${receiver.url}/second`, "two"),
        asks("text input"),
      ]),
    );
    const options = { headers: { "Idempotency-Key": "a start that is taken up".replaceAll(" ", "-") } };

    const lost = start(node(standingStill), publicId, {}, options);
    await waitFor(() => receiver.requests.length === 1);
    const answer = await start(node(short), publicId, {}, options);
    receiver.release();

    expect(answer.status).toBe(200);
    expect((await lost).body).toEqual(answer.body);
    const [first, again, second] = receiver.requests.map(told);
    expect(again).toBe(first);
    expect(second).toStartWith("/second ");
    expect(receiver.requests).toHaveLength(3);
    const results = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });
    expect(results.list("results")).toHaveLength(1);
  });

  test("a start from a page's form is not continued by a second post", async () => {
    const receiver = await openReceiver("/none");
    const { publicId, botId } = await publish(
      api.client,
      owner,
      flowOf([
        ...[draws, calls(`${receiver.url}/first`, "one")],
        ...[calls(`${receiver.url}/second`, "two"), asks("text input")],
      ]),
    );
    const [draw, keep] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [runs, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { reports } = api.deps;
    const dying = node(standingStill, {
      reports: {
        ...reports,
        async insert(...rows) {
          await reports.insert(...rows);
          kept.resolve();
          await keep.promise;
        },
      },
    });
    const late = node(short, {
      threads: {
        ...threads,
        advanceHere: () => undefined,
        async advance(...task) {
          runs.resolve();
          await draw.promise;
          return threads.advance(...task);
        },
      },
    });
    const key = "a-form-that-is-posted-twice";
    const facts = { botId, number: 1, seed: newSeed(), now: Date.now(), resultId: newId(), digest: newSeed() };
    const shown = await api.deps.shownStarts.seal(facts, key);
    const options = { headers: { "Idempotency-Key": key } };

    const second = start(late, publicId, { shown }, options);
    await runs.promise;
    const first = start(dying, publicId, { shown }, options);
    await kept.promise;
    await waitFor(
      async () => (await api.deps.sql`select from start_keys where key = ${key} and claim_until < clock()`).length > 0,
    );
    draw.resolve();
    const answer = await second;
    keep.resolve();

    expect(answer.status).toBe(200);
    expect((await first).body).toEqual(answer.body);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/first", "/second"]);
  });

  test("a start that performs an effect is continued by only one node", async () => {
    const receiver = await openReceiver("/first");
    const { publicId } = await publish(
      api.client,
      owner,
      flowOf([calls(`${receiver.url}/first`, "one"), calls(`${receiver.url}/second`, "two"), asks("text input")]),
    );
    const options = { headers: { "Idempotency-Key": "taken-up-by-one-only" } };

    const lost = start(node(standingStill), publicId, {}, options);
    await waitFor(() => receiver.requests.length === 1);
    const answers = await Promise.all([short, short, short].map((times) => start(node(times), publicId, {}, options)));
    receiver.release();
    await lost;

    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/first", "/first", "/second"]);
  });
});
