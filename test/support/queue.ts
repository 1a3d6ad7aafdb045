import type { JobWithMetadata } from "pg-boss";
import { readConfig } from "../../src/config.ts";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import type { Mail } from "../../src/core/interpreter/program/job.ts";
import { createGoogle } from "../../src/effects/google/google.ts";
import type { Mailer } from "../../src/effects/mail/email.ts";
import { createWorkspaceMailer } from "../../src/effects/mail/workspace-mail.ts";
import { createProviderMetrics } from "../../src/effects/providers/provider-metrics.ts";
import { createSafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { type Clock, systemClock } from "../../src/platform/concurrency/clock.ts";
import { createOutageWatch } from "../../src/platform/database/outages/outage-watch.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { openQueue, type Queue } from "../../src/platform/queue/queue.sql.ts";
import { type QueueName, queueNames } from "../../src/platform/queue/queues.ts";
import { openStorage } from "../../src/platform/storage/open-storage.ts";
import type { Dependencies } from "../../src/service/dependencies.ts";
import { type Jobs, startJobs } from "../../src/service/jobs.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { testSecrets } from "./events.ts";

/** A queue with a separate database. Call `close` in `afterAll`. */
export type TestQueue = {
  readonly database: TestDatabase;
  readonly sql: Sql;
  readonly queue: Queue;
  /** Returns all jobs of a queue in any state. */
  jobs(name: QueueName): Promise<JobWithMetadata[]>;
  /** Makes a job that waits for its next attempt due immediately. */
  makeDue(name: QueueName, id: string): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function createTestQueue(): Promise<TestQueue> {
  const database = await createTestDatabase();
  const queue = await openQueue({ url: database.url, log: createLog("silent") });
  const { boss } = queue;
  return {
    database,
    sql: database.sql,
    queue,
    jobs: (name) => boss.findJobs(name),
    async makeDue(name, id) {
      await boss.update(name, undefined, { id, startAfter: 0 });
    },
    async clear() {
      for (const name of queueNames) await boss.deleteAllJobs(name);
    },
    async close() {
      await queue.stop();
      await database.close();
    },
  };
}

/** Starts all jobs of a process on a test's queue. */
export function startTestJobs(
  { sql, queue }: Pick<TestQueue, "sql" | "queue">,
  mailer: Mailer,
  clock?: Clock,
  replaced: Partial<Pick<Dependencies, "safeFetch" | "providers" | "secrets" | "storage">> = {},
): Promise<Jobs> {
  const config = readConfig({ LOG_LEVEL: "silent" });
  const log = createLog("silent");
  const parts = {
    sql,
    log,
    config,
    outage: createOutageWatch(sql, log),
    storage: openStorage(config),
    safeFetch: createSafeFetch(),
    resolveTxt: () => Promise.reject(new Error("This test has no DNS")),
    secrets: testSecrets,
    providers: { urls: new Map(), metrics: createProviderMetrics() },
    google: createGoogle({ clock: systemClock, client: undefined }),
    ...replaced,
  };
  const workspaceMailer = createWorkspaceMailer({ permits: isPublicAddress, allowedHosts: [] });
  const idle = { wake() {} };
  return startJobs(parts, { queue, mailer, workspaceMailer, dueSteps: idle, channels: idle, ...(clock && { clock }) });
}

/** Adds a mail to the outbox, as a step does, and returns its id. */
export async function putMail(sql: Sql, mail: { subject: string; resultId: string; botId: string }): Promise<string> {
  const { subject, resultId, botId } = mail;
  const id = newId();
  const data: Mail = {
    credentialsId: "c",
    to: ["a@b.co"],
    cc: [],
    bcc: [],
    subject,
    body: { text: "" },
    resultId,
    botId,
  };
  await sql`
    insert into outbox (id, queue, data)
    values (${id}, 'email', ${JSON.stringify(data)}::text::json)`;
  return id;
}
