import { join } from "node:path";
import { ownClient, person } from "../../fake-providers/google/accounts.ts";
import { startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { startFakeStripe } from "../../fake-providers/stripe.ts";
import { publish } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createTestDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { type Nodes, startNodes } from "../nodes.ts";
import { randomOf } from "../random.ts";
import { brokenPromises, leftRows } from "./checks.ts";
import { providersFlow } from "./flow.ts";
import { type Chat, type Outside, talk } from "./talk.ts";

export type KillOptions = {
  readonly nodes: number;
  /** The number of processes of each node, on one port. */
  readonly processes: number;
  readonly kills: number;
  readonly visitors: number;
  readonly seed: number;
};

export type KillReport = {
  readonly chats: number;
  readonly kills: number;
  readonly seconds: number;
  /** The number of access tokens that Google issued. */
  readonly tokens: number;
  readonly late: number;
  readonly problems: readonly string[];
  /** The standard error of nodes. */
  readonly errors: string;
};

const token = "the administrator of all nodes";
const webhookSecret = "whsec_of_the_campaign";
/** A process keeps a token until a minute before its expiry, which is four seconds in this test. */
const tokenSeconds = 64;
const settledWithinMs = 120_000;

/** Lets visitors pay, wait, and be called while nodes are killed at random moments. Returns the broken promises. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const startedAt = performance.now();
  await using ends = new AsyncDisposableStack();
  const random = randomOf(options.seed);
  const stripe = await startFakeStripe();
  ends.defer(stripe.close);
  const google = await startFakeGoogle({ tokenSeconds });
  ends.defer(google.close);
  google.sheets.allow(1_000_000);
  const database = await createTestDatabase();
  ends.defer(database.close);
  const folder = temporaryFolder();
  ends.defer(folder.remove);
  const nodes = startNodes({
    processes: Array<number>(options.nodes).fill(options.processes),
    folder: join(folder.path, "faults"),
    environment: {
      DATABASE_URL: database.url,
      DATABASE_POOL: "6",
      WORKER_THREADS: "1",
      LOG_LEVEL: "warn",
      RATE_LIMITS: "off",
      ADMIN_TOKEN: token,
      ENCRYPTION_KEY: "the-key-of-the-chaos-for-every-node",
      PROVIDER_URLS: providerUrls([stripe, google]),
    },
    deaths: [],
    random,
  });
  ends.defer(nodes.close);
  await nodes.settled();

  const { sql } = database;
  const client = createClient({ baseUrl: nodes.urls()[0] ?? "" });
  const workspaceId = (await client.post("/api/v1/workspaces", { token, body: { name: "Kills" } })).text(
    "workspace.id",
  );
  const credentials = async (type: string, data: object): Promise<string> => {
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    return (await client.post(path, { token, body: { type, name: "Ours", data } })).text("credentials.id");
  };
  const sheet = () => google.sheets.make({ rows: [["Name"]], sharedWith: [person.account] });
  const accounts = {
    stripe: await credentials("stripe", {
      ...{ liveSecretKey: "sk_live_1", livePublicKey: "pk_live_1", liveWebhookSecret: webhookSecret },
    }),
    google: await credentials("google sheets", {
      ...{ ...person, clientId: ownClient.id, clientSecret: ownClient.secret },
    }),
    ...{ rows: sheet(), laterRows: sheet() },
  };
  const { publicId } = await publish(client, { token, workspaceId }, providersFlow(accounts));

  const problems: string[] = [];
  const intentOf = async (sessionId: string) => {
    const rows = await sql<{ id: string }[]>`select id from payments where session_id = ${sessionId}`;
    return [...stripe.intents.values()].find(({ metadata }) =>
      rows.some(({ id }) => id === metadata["parley_payment"]),
    );
  };
  const outside: Outside = {
    urls: nodes.urls,
    publicId,
    random: randomOf(options.seed + 1),
    violated: (what) => void problems.push(what),
    async pay(sessionId) {
      const intent = await intentOf(sessionId);
      if (intent?.status === "requires_payment_method") stripe.confirm(intent.client_secret);
    },
    async report(sessionId) {
      const intent = await intentOf(sessionId);
      const path = `/api/v1/payments/stripe/${accounts.stripe}`;
      return { path, ...stripe.report(intent?.id ?? "", { secret: webhookSecret }) };
    },
  };
  const chats: Chat[] = [];
  let kills = 0;
  const keepTalking = async (_: unknown, index: number): Promise<void> => {
    for (let chat = 1; chat === 1 || kills < options.kills; chat++) {
      const ticket = `ticket-${index}-${chat}.`;
      const held = await talk(outside, ticket).catch((error) => problems.push(`${ticket}: ${error}`));
      if (typeof held === "object") chats.push(held);
    }
  };
  const keepKilling = async (): Promise<void> => {
    while (kills < options.kills) {
      await Bun.sleep(500 + random() * 6_000);
      if (kill(nodes, random)) kills++;
    }
  };
  await Promise.all([keepKilling(), ...Array.from({ length: options.visitors }, keepTalking)]);

  // Surviving nodes do the postponed work.
  await waitFor(async () => (await leftRows(sql)).length === 0, { withinMs: settledWithinMs }).catch(() => {});
  problems.push(...(await brokenPromises({ sql, stripe, google, accounts, chats })));
  const [late] = await sql<[{ count: number }]>`
    select count(*)::int as count from steps where reply ->> 'type' = 'timeout'`;
  return {
    chats: chats.length,
    kills,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    tokens: google.accounts.given(),
    late: late.count,
    problems,
    errors: nodes.errors(),
  };
}

function kill(nodes: Nodes, random: () => number): boolean {
  const pids = [...new Set(nodes.running().flatMap(({ service, pids: serving }) => [service.pid, ...serving]))];
  const pid = pids[Math.floor(random() * pids.length)];
  try {
    return pid !== undefined && process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
