import { type Config, readConfig } from "../../src/config.ts";
import { readBody } from "../../src/core/documents/incoming-body.ts";
import { canonicalHash } from "../../src/core/flow/canonical.ts";
import type { SafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import type { Scope } from "../../src/management/access/access.ts";
import { hashToken, newToken } from "../../src/management/access/tokens.ts";
import type { ResolveTxt } from "../../src/management/domains/domain-proof.ts";
import type { Clock } from "../../src/platform/concurrency/clock.ts";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLog, type Log } from "../../src/platform/observing/log.ts";
import type { RateLimits } from "../../src/platform/rate-limits/rate-limits.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies, type Dependencies } from "../../src/service/dependencies.ts";
import type { Board } from "../../src/service/job-board.ts";
import { type Client, createClient } from "./client.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { temporaryFolder } from "./folder.ts";
import type { Threads } from "./threads.ts";

export type TestUser = { readonly userId: string; readonly email: string; readonly token: string };

/** The service without a listening server. Call `close` in `afterAll`. */
export type TestApi = {
  readonly deps: Dependencies;
  readonly databaseUrl: string;
  readonly client: Client;
  handle(request: Request): Promise<Response>;
  /** Creates the app of the builder's listener. Its client sends the headers of the builder's own page. */
  openBuilder(): { readonly client: Client; handle(request: Request): Promise<Response> };
  /**
   * Creates a user with a token of this scope (`write` by default). With the scope `admin`, the user is an
   * administrator of the instance.
   */
  makeUser(options?: { scope?: Scope; name?: string }): Promise<TestUser>;
  makeToken(userId: string, options?: { scope?: Scope; workspaceId?: string; expiresAt?: Date }): Promise<string>;
  /** Creates a workspace with `owner` as its ADMIN, and adds `members`. */
  makeWorkspace(owner: TestUser, members?: Readonly<Record<string, "ADMIN" | "MEMBER" | "GUEST">>): Promise<string>;
  /**
   * Sets the creation times of the rows one minute apart in the order of `ids`, because rows of the same millisecond
   * have no order.
   */
  spreadCreation(
    table:
      | "users"
      | "api_tokens"
      | "workspaces"
      | "invitations"
      | "folders"
      | "bots"
      | "credentials"
      | "custom_domains"
      | "event_endpoints"
      | "event_deliveries",
    ids: readonly string[],
  ): Promise<void>;
  close(): Promise<void>;
};

export type TestApiOptions = {
  /** Without threads, steps of chats, replays and test conversations fail. */
  readonly threads?: Threads;
  readonly config?: Partial<Config>;
  readonly safeFetch?: SafeFetch;
  readonly resolveTxt?: ResolveTxt;
  readonly rateLimits?: RateLimits;
  readonly onJobs?: () => void;
  readonly onInbound?: (connectionId: string) => void;
  readonly onChannelSteps?: (contactIds: readonly string[]) => void;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly replicaSql?: Sql;
  /** Returns the address under which the service reaches the database, for example through a proxy of the test. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** The number of connections in the service's pool. Only used together with `through`. */
  readonly connections?: number;
  /** Defaults to a new database, migrated and empty. */
  readonly database?: TestDatabase;
  /** Creates the job board for this test's database. */
  readonly board?: (database: TestDatabase) => Promise<Board>;
};

export async function createTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await createTestDatabase());
  const { sql } = database;
  const served = options.through
    ? connect(await options.through(database.url), { connections: options.connections ?? 4 })
    : sql;
  const folder = temporaryFolder();
  const board = await options.board?.(database);
  const config = { ...readConfig({ LOG_LEVEL: "silent", DATA_DIR: folder.path }), ...options.config };
  const deps = createDependencies({
    config,
    log: options.log ?? createLog(config.LOG_LEVEL),
    sql: served,
    threads: options.threads ?? noThreads,
    ...(options.safeFetch && { safeFetch: options.safeFetch }),
    ...(options.resolveTxt && { resolveTxt: options.resolveTxt }),
    ...(options.replicaSql && { replicaSql: options.replicaSql }),
    ...(options.onJobs && { onJobs: options.onJobs }),
    ...(options.onInbound && { onInbound: options.onInbound }),
    ...(options.onChannelSteps && { onChannelSteps: options.onChannelSteps }),
    ...(options.clock && { clock: options.clock }),
    ...(options.rateLimits && { rateLimits: options.rateLimits }),
    ...(board && { board: async () => board }),
  });
  const app = createApp(deps);
  const handle = (request: Request) => app.handle(request);

  const makeToken: TestApi["makeToken"] = async (userId, { scope = "write", workspaceId, expiresAt } = {}) => {
    const token = newToken();
    await sql`
      insert into api_tokens (id, user_id, workspace_id, name, hash, scope, expires_at)
      values (
        ${newId()}, ${userId}, ${workspaceId ?? null}, 'Test',
        ${hashToken(token)}, ${scope}, ${expiresAt ?? null}
      )`;
    return token;
  };

  return {
    deps,
    databaseUrl: database.url,
    client: createClient({ handle }),
    handle,
    openBuilder() {
      const builder = createApp(deps, { isAppListener: true });
      const handleThere = (request: Request) => builder.handle(request);
      return { handle: handleThere, client: createClient({ handle: handleThere, isBuilder: true }) };
    },
    makeToken,
    async makeUser({ scope = "write", name = "Somebody" } = {}) {
      const userId = newId();
      const email = `${userId}@example.com`;
      await sql`
        insert into users (id, name, email, is_administrator)
        values (${userId}, ${name}, ${email}, ${scope === "admin"})`;
      return { userId, email, token: await makeToken(userId, { scope }) };
    },
    async makeWorkspace(owner, members = {}) {
      const workspaceId = newId();
      const roles = { ...members, [owner.userId]: "ADMIN" };
      await sql`
        with made as (
          insert into workspaces (id, name)
          values (${workspaceId}, 'Test workspace')
        )
        insert into members (workspace_id, user_id, role)
        select ${workspaceId}, people.id, people.role
        from unnest(${Object.keys(roles)}::uuid[], ${Object.values(roles)}::text[]) as people (id, role)`;
      return workspaceId;
    },
    async spreadCreation(table, ids) {
      await sql`
        update ${sql(table)} as rows
        set created_at = clock() + make_interval(mins => places.place::int - ${ids.length})
        from unnest(${[...ids]}::uuid[]) with ordinality as places (id, place)
        where places.id = rows.id`;
    },
    async close() {
      if (served !== sql) await served.end({ timeout: 0 });
      await database.close();
      folder.remove();
    },
  };
}

const noThreads: Threads = {
  advance: () => Promise.reject(new Error("This test has no worker threads")),
  advanceHere: () => undefined,
  inAnonymousLane: (_visitor, task) => task(),
  prove: () => Promise.reject(new Error("No thread holds test conversations here")),
  replay: () => Promise.reject(new Error("No thread replays chats here")),
  readBody: async (bytes) => readBody(bytes),
  addressOf: async (flow) => canonicalHash(JSON.parse(flow)),
  usages: () => ({}),
  ready: async () => {},
  ping: async () => {},
  close: async () => {},
};
