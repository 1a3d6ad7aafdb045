import { migrate } from "../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { createTestApi } from "../support/api.ts";
import { publish } from "../support/chat.ts";
import { type EventReceiver, startEventReceiver } from "../support/event-receiver.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import type { ChaosDatabase } from "./database.ts";
import type { Scenario } from "./flow.ts";

/**
 * Everything outside the nodes: their database, the receivers of their calls, mails and events, and the bot that
 * visitors talk to.
 */
export type World<Database extends ChaosDatabase = ChaosDatabase> = {
  readonly folder: string;
  readonly database: Database;
  /** A connection that bypasses any proxy between the nodes and their database. */
  readonly sql: Sql;
  readonly receiver: OutsideServer;
  readonly mailServer: MailServer;
  /** Undefined if no endpoint listens. */
  readonly events: EventReceiver | undefined;
  readonly publicId: string;
  /** The settings of the nodes. */
  readonly environment: Readonly<Record<string, string>>;
};

/** The time that a receiver takes for each event, and its maximum number of concurrent deliveries. */
export type EventTaker = { readonly delayMs: number; readonly maxConcurrency?: number };

const encryptionKey = "the-key-of-the-chaos-for-every-node";
/** A receiver that answers within milliseconds, as most receivers do. */
const quickTaker: EventTaker = { delayMs: 5 };

export async function openWorld<Database extends ChaosDatabase>(
  ends: AsyncDisposableStack,
  options: {
    readonly scenario: Scenario;
    readonly isListened: boolean;
    readonly taker?: EventTaker;
    readonly openDatabase: (folder: string) => Promise<Database>;
    /** Starts a proxy between the nodes and their database. By default nodes connect directly. */
    readonly throughProxy?: (url: string) => Promise<string>;
  },
): Promise<World<Database>> {
  const folder = temporaryFolder();
  ends.defer(folder.remove);
  const database = await options.openDatabase(folder.path);
  ends.defer(database.stop);
  const receiver = await startOutside((request, response) => {
    const { ticket } = JSON.parse(request.body);
    response.end(JSON.stringify({ word: `word for ${ticket}` }));
  });
  ends.defer(receiver.close);
  const mailServer = await startMailServer();
  ends.defer(mailServer.close);
  const events = options.isListened ? await startEventReceiver() : undefined;
  ends.defer(() => events?.close());
  const sql = connect(database.url, { connections: 2 });
  ends.defer(() => sql.end({ timeout: 5 }));
  const environment = environmentOf((await options.throughProxy?.(database.url)) ?? database.url, mailServer);
  const made = { folder: folder.path, database, sql, receiver, mailServer, events, environment };
  return { ...made, publicId: await publishBot(made, options) };
}

function environmentOf(databaseUrl: string, mailServer: MailServer): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: "6",
    WORKER_THREADS: "1",
    LOG_LEVEL: "warn",
    // All visitors of the test share one address.
    RATE_LIMITS: "off",
    ENCRYPTION_KEY: encryptionKey,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_FROM: "bots@example.com",
  };
}

/**
 * Publishes the bot in this process, before any node runs. A separate node for this would cost as much as a node that
 * is killed.
 */
async function publishBot(
  { sql, database, receiver, events }: Omit<World, "publicId">,
  { scenario, taker = quickTaker }: { readonly scenario: Scenario; readonly taker?: EventTaker },
): Promise<string> {
  await migrate(sql);
  const config = { ENCRYPTION_KEY: encryptionKey };
  const api = await createTestApi({ config, database: { sql, url: database.url, close: async () => {} } });
  try {
    const author = await api.makeUser();
    const owner = { token: author.token, workspaceId: await api.makeWorkspace(author) };
    if (events) {
      const { delayMs, ...settings } = taker;
      const eventTypes = ["result.started", "result.answered", "result.completed"];
      const endpoint = await api.client.post(`/api/v1/workspaces/${owner.workspaceId}/event-endpoints`, {
        token: owner.token,
        body: { url: events.url, eventTypes, ...settings },
      });
      const secret = endpoint.text("eventEndpoint.secret");
      await events.begin({ secret, delayMs, blockIds: scenario.blockIds });
    }
    return (await publish(api.client, owner, scenario.flow(receiver.url("/word")))).publicId;
  } finally {
    await api.close();
  }
}
