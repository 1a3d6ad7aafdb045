import { createLog } from "../../../src/platform/observing/log.ts";
import { openQueue } from "../../../src/platform/queue/queue.sql.ts";
import { type FakeProvider, providerUrls } from "../../fake-providers/kit.ts";
import { isAlive, servingPids } from "../../platform/processes/children.ts";
import { publish, say } from "../../support/chat.ts";
import { type Answer, type Client, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { heldIn, holdsVariable } from "../../support/held-service-settings.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { commandOf } from "../../support/programs.ts";
import { cleanupStack, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

const token = "the administrator of both nodes";
/** Longer than any lease of a due step and any claim of a chat. */
const leasesSeconds = 20;

/**
 * A node whose chats pause at an arrow, a point between two consecutive actions. A chat pauses because a provider does
 * not answer, a statement waits in the database, or the node's program pauses.
 */
export type Node = {
  readonly client: Client;
  readonly url: string;
  /** Returns everything that the node has printed. */
  output(): string;
  readonly pid: number;
  /** Whether the chat of the ticket is paused inside the node. */
  isHeld(ticket: string): boolean;
  /** Returns the process in which the chat of the ticket is paused. */
  heldBy(ticket: string): number | undefined;
  kill(): Promise<void>;
};

export type ArrowWorld = {
  readonly token: string;
  readonly workspaceId: string;
  readonly sql: TestDatabase["sql"];
  makeCredentials(type: string, data: object): Promise<string>;
  publish(flow: object): Promise<{ botId: string; publicId: string }>;
  /** The node that is killed. Its chats pause at the given points. */
  readonly dying: Node;
  /**
   * Makes later changes to the session's rows wait. `when` is an SQL condition on the change. The returned function
   * tells whether a statement is waiting.
   */
  holdStatement(hold: {
    readonly sessionId: string;
    readonly table: string;
    readonly on: "insert" | "update";
    readonly when: string;
  }): Promise<() => Promise<boolean>>;
  /**
   * Kills the node, ends the waiting statements, lets the dead node's leases expire, and starts another node. `seconds`
   * is how far the test has already advanced the clock.
   */
  succeed(moved?: { readonly seconds: number }): Promise<Node>;
  /** Queues a scheduled clean-up to run immediately. */
  runTask(task: string): Promise<void>;
  close(): Promise<void>;
};

/** Creates a node that pauses at the given points, on a new database and with the given providers. */
export async function createArrowWorld(options: {
  readonly fakes: readonly FakeProvider[];
  readonly holds: Readonly<Record<string, string>>;
  /** The number of database connections of a node. Each waiting statement occupies one connection. */
  readonly connections?: number;
  /** Additional settings of both nodes. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<ArrowWorld> {
  const cleanups = cleanupStack();
  const database = await createTestDatabase({ connections: 4 });
  cleanups.add(database.close);
  const { sql } = database;
  const startNode = async (holds: Readonly<Record<string, string>>): Promise<Node> => {
    const node = await startService({
      command: commandOf("test/support/held-service.ts"),
      environment: {
        [holdsVariable]: JSON.stringify(holds),
        DATABASE_URL: database.url,
        DATABASE_POOL: String(options.connections ?? 30),
        DATA_DIR: cleanups.folder(),
        WORKER_THREADS: "1",
        LOG_LEVEL: "warn",
        RATE_LIMITS: "off",
        ADMIN_TOKEN: token,
        ENCRYPTION_KEY: "k".repeat(40),
        PROVIDER_URLS: providerUrls(options.fakes),
        ...options.settings,
      },
    });
    const kill = async (): Promise<void> => {
      const serving = servingPids(node);
      node.signal("SIGKILL");
      // Serving processes that survive would finish the paused steps.
      for (const pid of serving) if (isAlive(pid)) process.kill(pid, "SIGKILL");
      await node.exited;
    };
    cleanups.add(kill);
    return {
      client: createClient({ baseUrl: node.url }),
      url: node.url,
      output: () => node.stdout() + node.stderr(),
      pid: node.pid,
      isHeld: (ticket) => heldIn(node.stdout(), ticket) !== undefined,
      heldBy: (ticket) => heldIn(node.stdout(), ticket),
      kill,
    };
  };
  // A paused statement waits for a lock that this connection holds.
  const holder = await sql.reserve();
  let holds = 0;
  const triggers: { readonly name: string; readonly table: string }[] = [];
  await sql.unsafe(`
    create function stand_still() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(tg_argv[0]::bigint);
      return new;
    end $$`);
  const dying = await startNode(options.holds);
  const { client } = dying;
  const workspaceId = (await client.post("/api/v1/workspaces", { token, body: { name: "Arrows" } })).text(
    "workspace.id",
  );
  return {
    ...{ token, workspaceId, sql, dying },
    async makeCredentials(type, data) {
      const path = `/api/v1/workspaces/${workspaceId}/credentials`;
      const made = await client.post(path, { token, body: { type, name: "Ours", data } });
      return made.text("credentials.id");
    },
    publish: (flow) => publish(client, { token, workspaceId }, flow),
    async holdStatement({ table, on, when, sessionId }) {
      const key = ++holds;
      await holder`select pg_advisory_lock(${key})`;
      const name = `stand_still_${key}`;
      triggers.push({ name, table });
      const [session] = await sql<[{ uuid: string }]>`select ${sessionId}::uuid::text as uuid`;
      await sql.unsafe(`
        create trigger ${name} before ${on} on ${table}
        for each row when (new.session_id = '${session.uuid}' and ${when}) execute function stand_still(${key})`);
      return async () =>
        (await sql`select from pg_locks where locktype = 'advisory' and not granted and objid = ${key}`).length > 0;
    },
    async succeed({ seconds } = { seconds: 0 }) {
      await dying.kill();
      // PostgreSQL finishes a statement whose client has died, so the waiting statements would take effect late.
      await sql`
        select pg_terminate_backend(pid, 10000)
        from pg_locks
        where locktype = 'advisory' and not granted`;
      for (const { name, table } of triggers) await sql.unsafe(`drop trigger ${name} on ${table}`);
      await holder`select pg_advisory_unlock_all()`;
      await moveClock(sql, seconds + leasesSeconds);
      return startNode({});
    },
    async runTask(task) {
      const queue = await openQueue({ url: database.url, log: createLog("silent") });
      await queue.boss.send("clean-up", { task });
      await queue.stop();
    },
    async close() {
      holder.release();
      await cleanups.run();
    },
  };
}

/** Repeats the request with its key until it is answered, as clients do. */
export async function insist(
  client: Client,
  { sessionId, message, key }: { sessionId: string; message: string; key: string },
): Promise<Answer> {
  const options = { headers: { "Idempotency-Key": key } };
  let answer = await say(client, sessionId, message, options);
  await waitFor(
    async () => {
      if (![409, 503].includes(answer.status)) return true;
      answer = await say(client, sessionId, message, options);
      return false;
    },
    { withinMs: 60_000, what: `an answer under ${key}` },
  );
  return answer;
}

/** Returns whether a request was answered, or lost because its node died. */
export function lost(asking: Promise<Answer>): Promise<"answered" | "lost"> {
  return asking.then(
    () => "answered",
    () => "lost",
  );
}
