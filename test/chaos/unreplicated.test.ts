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
  "after a crash of the primary, a step and a start are acknowledged only once the standby has stored them",
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
    const asks = [
      { path: `/api/v1/sessions/${started.text("sessionId")}/continueChat`, body: { message: "Ana" } },
      { path: `/api/v1/bots/${publicId}/startChat`, body: {} },
    ];
    /** Returns the number of matching statements whose commit waits for the standby. */
    const waiting = async (words: string): Promise<number> => {
      const statement = `select from pg_stat_activity where wait_event = 'SyncRep' and query ~* '${words}'`;
      return (await primary.ask(statement).catch(() => [])).length;
    };
    /**
     * Lets other commits finish without the standby. After an outage, a node checks whether the database accepts
     * writes. A later request on the same connection would wait for this check instead of its own commit.
     */
    const passOthers = async (): Promise<void> => {
      const statement = `
        select pg_cancel_backend(pid)
        from pg_stat_activity
        where wait_event = 'SyncRep' and query !~* 'with (input|given) as|pg_logical_emit_message'`;
      await primary.ask(statement).catch(() => []);
    };
    /**
     * Sends the request to one node until it is answered, and crashes the primary while the save waits for the standby.
     * Then sends the request to another node. Returns the responses that arrived before the standby was up. Requests
     * are sent one at a time, because on one connection a waiting request would hide another.
     */
    const askAroundCrash = async ({ path, body }: (typeof asks)[number]): Promise<readonly string[]> => {
      const key = crypto.randomUUID();
      const told: string[] = [];
      const askInsistently = async ({ url }: Service): Promise<void> => {
        for (;;) {
          const response = await fetch(`${url}${path}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "Idempotency-Key": key },
            body: JSON.stringify(body),
          }).catch(() => undefined);
          await response?.text();
          if (response?.ok) return void told.push(`${url}${path}`);
          await Bun.sleep(20);
        }
      };
      await standby.end("SIGINT");
      const asked = askInsistently(first);
      await waitFor(async () => (await waiting("with (input|given) as")) === 1, {
        what: "the save to wait for the standby",
      });
      await primary.end("SIGQUIT");
      await primary.start(synchronous);
      expect(await primary.ask("select content from answers")).toMatchObject([{ content: "Ana" }]);
      const repeated = askInsistently(second);
      const bothWait = async (): Promise<boolean> => {
        await passOthers();
        return (await waiting("pg_logical_emit_message")) >= 2;
      };
      await waitFor(async () => told.length > 0 || (await bothWait()), {
        withinMs: 60_000,
        what: "one to be told, or both to wait for the standby",
      });
      const toldBefore = [...told];
      await standby.start();
      await Promise.all([asked, repeated]);
      return toldBefore;
    };

    const toldBefore: string[] = [];
    for (const one of asks) toldBefore.push(...(await askAroundCrash(one)));

    expect(toldBefore).toEqual([]);
    expect(await standby.ask("select content from answers")).toMatchObject([{ content: "Ana" }]);
  },
  180_000,
);
