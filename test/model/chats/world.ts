import { type FakeModel, startFakeModel } from "../../fake-model/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { nameAndEmail, publish } from "../../support/chat.ts";
import type { Client } from "../../support/client.ts";
import { testKey } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { cleanupStack } from "../../support/service.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";
import { arrows, type Death, type Node } from "./nodes/node.ts";
import { startNodeProcess } from "./nodes/process.ts";
import { startNodeHere } from "./nodes/same-process.ts";

/** A service with a database, providers, and a clock that the acts advance. */
export type World = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly stripe: FakeStripe;
  readonly model: FakeModel;
  readonly outside: OutsideServer;
  readonly webhookSecret: string;
  /** Returns the client of the current node. */
  client(): Client;
  handle(request: Request): Promise<Response>;
  /** Returns the time of the database's clock, in milliseconds. */
  now(): number;
  /** Returns the time at which the last call of a step was answered. */
  calledAt(): number;
  /** Advances the database's clock. */
  move(seconds: number): Promise<void>;
  /** Makes the next response of the fake server take this long, by the database's clock. */
  slowDown(seconds: number): void;
  /** Waits until every due step has run. */
  settle(): Promise<void>;
  /** Queries the provider for payments that were not reported. */
  checkPayments(): Promise<void>;
  /** The points at which the nodes of this world can die. */
  readonly deaths: readonly [Death, ...Death[]];
  /** Sends a request to a node that dies when the request reaches this point. Another node then replaces it. */
  dieAt(death: Death, request: (client: Client) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
};

/** Longer than any lease of a due step and any claim of a chat. */
const leasesSeconds = 20;

/**
 * With `isKilled`, the nodes are separate processes that die by SIGKILL. Otherwise they run within this process, which
 * is cheaper.
 */
export async function createWorld({ isKilled = false } = {}): Promise<World> {
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
    // A process computes the database's clock from its last read, so this read updates the clock of the process.
    await node?.readBot(anyBot);
  };
  const outside = await startOutside(async ({ body }, response) => {
    const seconds = slowSeconds;
    slowSeconds = 0;
    if (seconds > 0) await move(seconds);
    calledAt = now();
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
  const startNode = (): Node | Promise<Node> => (isKilled ? startNodeProcess(api) : startNodeHere(api));
  node = await startNode();
  const serving = (): Node => {
    if (!node) throw new Error("No node serves");
    return node;
  };
  const anyBot = await publishAnyBot(api, owner);
  const settle = async (): Promise<void> => {
    const { sql } = api.deps;
    await waitFor(
      async () => {
        await serving().wake();
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
      await serving().checkPayments();
      await settle();
    },
    deaths: isKilled ? [...arrows, "in the midst"] : arrows,
    async dieAt(death, request) {
      const dying = serving();
      const { reached } = await dying.dieAt(death);
      // The request of a dying node fails, or never ends.
      await Promise.race([reached, request(dying.client).catch(() => {})]);
      if (await dying.livesOn()) return;
      await dying.die();
      node = undefined;
      await move(leasesSeconds);
      node = await startNode();
    },
    async close() {
      await serving().stop();
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

/** Returns the fake server's response to a note: a price. */
export function fetchedFor(note: string): string {
  return note.startsWith("dear") ? "800" : note.startsWith("cheap") ? "3" : "50";
}
