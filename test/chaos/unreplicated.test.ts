import { expect, test } from "bun:test";
import { nameAndEmail, publish } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { clusterIsMissing, createCluster } from "../support/cluster.ts";
import { temporaryFolder } from "../support/folder.ts";
import { endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

const missing = clusterIsMissing();
if (missing !== undefined) process.stdout.write(`The test of answers without a standby is skipped: ${missing}\n`);

const adminToken = "the administrator of a standby";

test.skipIf(missing !== undefined)(
  "after a crash of the primary, a step and a start that its standby has not got yet are acknowledged neither to their requests nor to those that repeat them, until it has them",
  async () => {
    await using ends = new AsyncDisposableStack();
    const folder = temporaryFolder();
    ends.defer(folder.remove);
    const cluster = createCluster(folder.path);
    ends.defer(cluster.stop);
    const primary = await cluster.add();
    const standby = await cluster.add({ copyOf: primary });
    await standby.followFrom(primary);
    const synchronous = { synchronous_standby_names: "*" };
    await primary.start(synchronous);
    await standby.start();
    const startNode = async (): Promise<Service> => {
      const data = temporaryFolder();
      ends.defer(data.remove);
      const service = await startService({
        environment: {
          DATABASE_URL: cluster.urlOf(primary, standby),
          DATA_DIR: data.path,
          ...{
            ADMIN_TOKEN: adminToken,
            DATABASE_POOL: "4",
            WORKER_THREADS: "1",
            RATE_LIMITS: "off",
            LOG_LEVEL: "warn",
          },
        },
      });
      ends.defer(() => endService(service));
      return service;
    };
    const [first, second] = [await startNode(), await startNode()];
    const client = createClient({ baseUrl: first.url });
    const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "A standby" } });
    const { publicId } = await publish(
      client,
      { token: adminToken, workspaceId: made.text("workspace.id") },
      nameAndEmail,
    );
    const started = await client.post(`/api/v1/bots/${publicId}/startChat`, { body: {} });
    const told: string[] = [];
    const asks = [
      { path: `/api/v1/sessions/${started.text("sessionId")}/continueChat`, body: { message: "Ana" } },
      { path: `/api/v1/bots/${publicId}/startChat`, body: {} },
    ].map((one) => ({ ...one, key: crypto.randomUUID() }));
    /** Sends each request to this node until it has an answer. */
    const askAll = async ({ url }: Service): Promise<void> => {
      const askInsistently = async ({ path, body, key }: (typeof asks)[number]): Promise<void> => {
        for (;;) {
          const response = await fetch(`${url}${path}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "Idempotency-Key": key },
            body: JSON.stringify(body),
          }).catch(() => undefined);
          await response?.text();
          if (response?.ok) return void told.push(path);
          await Bun.sleep(20);
        }
      };
      await Promise.all(asks.map(askInsistently));
    };
    /** Statements whose commit waits for the standby. */
    const waiting = async (words: string): Promise<number> => {
      const statement = `select from pg_stat_activity where wait_event = 'SyncRep' and query ~* '${words}'`;
      return (await primary.ask(statement).catch(() => [])).length;
    };

    await standby.end("SIGINT");
    const asked = askAll(first);
    await waitFor(async () => (await waiting("with (input|given) as")) === 2, {
      what: "both saves to wait for the standby",
    });
    await primary.end("SIGQUIT");
    await primary.start(synchronous);
    const stored = await primary.ask("select content from answers");
    const repeated = askAll(second);
    await waitFor(async () => told.length > 0 || (await waiting("pg_logical_emit_message")) === 4, {
      withinMs: 60_000,
      what: "all to be told, or to wait for the standby",
    });
    const toldBefore = [...told];
    await standby.start();
    await Promise.all([asked, repeated]);

    expect(stored).toMatchObject([{ content: "Ana" }]);
    expect(toldBefore).toEqual([]);
    expect(await standby.ask("select content from answers")).toMatchObject([{ content: "Ana" }]);
  },
  180_000,
);
