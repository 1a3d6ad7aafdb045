import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { paymentChecks } from "../../../src/chat/payments/payment-checks.job.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies, type Dependencies } from "../../../src/service/dependencies.ts";
import { type FakeModel, startFakeModel } from "../../fake-model/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { nameAndEmail, publish } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { testKey } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { cleanupStack } from "../../support/service.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

/** Where a node dies: between two acts, each of which lasts. */
export const arrows = [
  "before the call",
  "after the call",
  "after the report",
  "before the save",
  "after the save",
] as const;
export type Arrow = (typeof arrows)[number];

/** A service in this process, with a database, providers and a clock that the acts move. */
export type World = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly stripe: FakeStripe;
  readonly model: FakeModel;
  readonly outside: OutsideServer;
  readonly webhookSecret: string;
  /** The node that serves now. */
  client(): Client;
  handle(request: Request): Promise<Response>;
  /** The database's clock, in milliseconds. */
  now(): number;
  /** When the last call that a step makes was answered. */
  calledAt(): number;
  /** Moves the database's clock forward. */
  move(seconds: number): Promise<void>;
  /** The next call of the server outside takes so long, by the database's clock. */
  slowDown(seconds: number): void;
  /** Waits until every step that is due was taken. */
  settle(): Promise<void>;
  /** Asks the provider about the payments that nobody reported. */
  checkPayments(): Promise<void>;
  /** Runs a request of a node that dies at an arrow, if the request comes there; another node follows. True: it died. */
  dieAt(arrow: Arrow, request: (client: Client) => Promise<unknown>): Promise<boolean>;
  close(): Promise<void>;
};

type Node = {
  readonly client: Client;
  readonly deps: Dependencies;
  readonly due: DueSteps;
  handle(request: Request): Promise<Response>;
  /** Its connections break, and what it does never ends. */
  die(): Promise<void>;
};

/** Longer than any lease of a step that is due, or claim of a chat. */
const leasesSeconds = 20;

export async function createWorld(): Promise<World> {
  const cleanups = cleanupStack();
  const threads = createThreads({ count: 1 });
  const stripe = await startFakeStripe();
  const model = await startFakeModel();
  let node: Node | undefined;
  let movedSeconds = 0;
  let slowSeconds = 0;
  let calledAt = 0;
  const now = (): number => Date.now() + 1_000 * movedSeconds;
  const move = async (seconds: number): Promise<void> => {
    movedSeconds += seconds;
    await moveClock(api.deps.sql, movedSeconds);
    // A process computes the database's clock from its last read: this one comes to know the new time.
    await node?.deps.reads.publishedBots.add(anyBot);
  };
  const outside = await startOutside(async ({ body }, response) => {
    const seconds = slowSeconds;
    slowSeconds = 0;
    if (seconds > 0) await move(seconds);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ value: fetchedFor(String(Object(JSON.parse(body)).note)) }));
  });
  const fetchOutside = outsideFetch();
  const safeFetch: typeof fetchOutside = async (request) => {
    const answer = await fetchOutside(request);
    calledAt = now();
    return answer;
  };
  const api = await createTestApi({
    threads,
    safeFetch,
    config: {
      PROVIDER_URLS: providerUrls([stripe]),
      MODEL_SERVERS: model.origin,
      ENCRYPTION_KEY: testKey,
      CHAT_URL: "https://chat.example/",
      RATE_LIMITS: "off",
    },
  });
  const owner = await api.makeUser();
  let dying: { readonly arrow: Arrow; readonly reached: () => void } | undefined;
  /** Goes no further where the node dies here. */
  const pass = (arrow: Arrow): Promise<void> | undefined => {
    if (dying?.arrow !== arrow) return undefined;
    dying.reached();
    return new Promise(() => {});
  };
  const startNode = (): Node => {
    const sql = connect(api.databaseUrl, { connections: 4 });
    const deps = mortal(createDependencies({ ...api.deps, sql }), pass);
    const app = createApp(deps);
    const handle = (request: Request) => app.handle(request);
    const due = startDueSteps(deps);
    return {
      ...{ client: createClient({ handle }), handle, deps, due },
      async die() {
        void due.stop();
        await sql.end({ timeout: 0 });
      },
    };
  };
  node = startNode();
  const serving = (): Node => {
    if (!node) throw new Error("No node serves");
    return node;
  };
  const anyBot = await publishAnyBot(api, owner);
  const settle = async (): Promise<void> => {
    const { sql } = api.deps;
    await waitFor(
      async () => {
        serving().due.wake();
        return (await sql`select from due_steps where held_until <= clock() or held_by is not null`).length === 0;
      },
      { what: "the steps that are due to be taken" },
    );
  };
  return {
    ...{ api, owner, stripe, model, outside, now, move, settle },
    webhookSecret: "whsec_planted_live_secret",
    client: () => serving().client,
    handle: (request) => serving().handle(request),
    calledAt: () => calledAt,
    slowDown: (seconds) => {
      slowSeconds = seconds;
    },
    async checkPayments() {
      const [checks] = paymentChecks(serving().deps);
      while ((await checks?.removeSome()) !== 0);
      await settle();
    },
    async dieAt(arrow, request) {
      const reached = Promise.withResolvers<true>();
      dying = { arrow, reached: () => reached.resolve(true) };
      const hasDied = await Promise.race([reached.promise, request(serving().client).then(() => false)]);
      dying = undefined;
      if (!hasDied) return false;
      await serving().die();
      node = undefined;
      await move(leasesSeconds);
      node = startNode();
      return true;
    },
    async close() {
      await serving().due.stop();
      await threads.close();
      await api.close();
      await Promise.all([stripe.close(), model.close(), outside.close()]);
      await cleanups.run();
    },
  };
}

async function publishAnyBot({ client, makeWorkspace }: TestApi, owner: TestUser): Promise<string> {
  return (await publish(client, { token: owner.token, workspaceId: await makeWorkspace(owner) }, nameAndEmail))
    .publicId;
}

/** What the server outside answers to a note: a price. */
export function fetchedFor(note: string): string {
  return note.startsWith("dear") ? "800" : note.startsWith("cheap") ? "3" : "50";
}

/** The dependencies of a node that can die at each arrow. */
function mortal(
  { safeFetch, saves, reports, ...deps }: Dependencies,
  pass: (arrow: Arrow) => Promise<void> | undefined,
): Dependencies {
  return {
    ...deps,
    claimTimes: { seconds: 2, renewMs: 500 },
    async safeFetch(request) {
      await pass("before the call");
      const answer = await safeFetch(request);
      await pass("after the call");
      return answer;
    },
    reports: {
      ...reports,
      async insert(sessionId, kept) {
        await reports.insert(sessionId, kept);
        await pass("after the report");
      },
    },
    saves: {
      ...saves,
      steps: {
        ...saves.steps,
        async save(row) {
          await pass("before the save");
          const isSaved = await saves.steps.save(row);
          await pass("after the save");
          return isSaved;
        },
      },
    },
  };
}
