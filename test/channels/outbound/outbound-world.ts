import type { HeldConnection } from "../../../src/channels/held-connection.ts";
import { type OutboundDependencies, outboundDependencies } from "../../../src/channels/outbound/dependencies.ts";
import { createOutbound, type Outbound } from "../../../src/channels/outbound/outbound.ts";
import { continueChat } from "../../../src/chat/continue-chat.ts";
import { startChat } from "../../../src/chat/start-chat.ts";
import type { ChatContact } from "../../../src/core/interpreter/program/contact.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { noOrigins } from "../../../src/management/access/origins.ts";
import { openConnection } from "../../../src/management/channels/open-connections.ts";
import { newId } from "../../../src/platform/ids.ts";
import { unknownAddress } from "../../../src/platform/rate-limits/client-address.ts";
import { type FakeTelegram, startFakeTelegram } from "../../fake-channels/telegram.ts";
import { type FakeWebhook, startFakeWebhook } from "../../fake-channels/webhook.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { makeContact } from "../../support/channel-contacts.ts";
import { connectTelegram, connectWebhookChannel } from "../../support/channels.ts";
import { publish } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { outsideFetch, outsideStream } from "../../support/outside.ts";
import { createThreads } from "../../support/threads.ts";

/** A service with a fake Telegram, a fake webhook program, and a clock that the test advances. */
export type OutboundWorld = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly telegram: FakeTelegram;
  readonly webhook: FakeWebhook;
  /** Creates a connection that no process has leased yet, and deletes the channel's earlier connections. */
  connect(channel: "telegram" | "webhook", settings?: object): Promise<string>;
  /** Acquires the lease of the connection, like a process that has just started. */
  hold(connectionId: string, changes?: Partial<OutboundDependencies>): Promise<Held>;
  contact(
    connectionId: string,
    channel: "telegram" | "webhook",
    facts?: Partial<ChatContact> & { address?: string },
  ): Promise<Contact>;
  beginAll(contacts: readonly Contact[], flow: object): Promise<void>;
  /** Starts a chat with a bot of this flow, without rendering the first step. */
  begin(contact: Contact, flow: object): Promise<{ readonly sessionId: string; readonly resultId: string }>;
  reply(contact: Contact, sessionId: string, message: string): Promise<void>;
  /** Advances the clocks of the process and of the database. */
  pass(ms: number): Promise<void>;
  readonly now: () => number;
  /** Returns all messages for a contact in their order, with their states. */
  sendings(contact: Contact): Promise<readonly Sending[]>;
  logs(resultId: string): Promise<string[]>;
  close(): Promise<void>;
};

export type Contact = ChatContact & { readonly address: string };

export type Held = {
  readonly held: HeldConnection;
  readonly outbound: Outbound;
  /** Simulates the death of the process. Afterwards, the process saves nothing. */
  die(): void;
  /**
   * Runs rounds, and advances the clock between them, until no message is left. Returns the milliseconds that passed.
   */
  drain(): Promise<number>;
};

export type Sending = {
  readonly state: string;
  readonly source: string;
  readonly attempts: number;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  readonly providerId: string | null;
};

/** Most tests expect messages without pauses for typing. */
const quick = (flow: object) => ({ settings: { typingEmulation: { enabled: false } }, ...flow });

/** `reach` returns the URL from which the fake Telegram downloads a file. By default, it downloads no files. */
export async function createOutboundWorld({
  reach,
}: {
  readonly reach?: (url: string) => string | undefined;
} = {}): Promise<OutboundWorld> {
  const [telegram, webhook, threads] = [
    await startFakeTelegram({ ...(reach && { reach }) }),
    await startFakeWebhook(),
    createThreads({ count: 1 }),
  ];
  const api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, TELEGRAM_API_URL: telegram.url, RATE_LIMITS: "off" },
    safeFetch: outsideFetch({ channelServers: new Set([telegram.url]) }),
  });
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const { deps } = api;
  const { sql } = deps;
  let time = 0;
  let addresses = 7_000;
  const clock = { ...deps.clock, now: () => time };

  const takeChat = async (contact: Contact, publicId: string) => {
    const { response } = await startChat(deps, {
      ...{ publicId, contact, message: null, key: `in ${newId()}`, resultId: null },
      ...{ contentFormat: "richText", isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: {} },
      ...{ hops: noHops, origins: noOrigins, dialect: "bot" },
      admission: deps.rateLimits.admission(() => unknownAddress),
    });
    const started: { sessionId: string; resultId: string } = JSON.parse(response);
    return started;
  };
  const pass = async (ms: number): Promise<void> => {
    time += ms;
    await moveClock(sql, time / 1_000);
  };
  return {
    ...{ api, owner, telegram, webhook, pass },
    now: () => time,
    async connect(channel, settings = {}) {
      const asked = { client: api.client, token: owner.token, workspaceId, settings };
      await sql`update channel_connections set deleted_at = clock() where channel = ${channel}`;
      if (channel === "telegram") {
        return (await connectTelegram({ ...asked, botToken: telegram.token })).connectionId;
      }
      const url = webhook.url.replace("127.0.0.1", "shop.example");
      const { connectionId, madeSecrets } = await connectWebhookChannel({ ...asked, url });
      webhook.secret = madeSecrets["secret"] ?? "";
      return connectionId;
    },
    async hold(connectionId, changes = {}) {
      const holder = newId();
      await sql`
        insert into channel_leases (connection_id, holder, held_until)
        values (${connectionId}, ${holder}, clock() + interval '10 days')
        on conflict (connection_id) do update set holder = excluded.holder, held_until = excluded.held_until`;
      const connection = await openConnection(deps, connectionId);
      if (!connection) throw new Error("There is no such connection");
      const { id, name, channel, settings, secrets } = connection;
      const lost = new AbortController();
      const held: HeldConnection = {
        ...{ id, workspaceId, name, channel, settings, secrets, holder },
        lost: lost.signal,
        mayAct: () => !lost.signal.aborted,
      };
      const outboundDeps: OutboundDependencies = {
        ...outboundDependencies({ ...deps, safeStream: outsideStream() }),
        ...{ clock, random: () => 0.5, ...changes },
      };
      const outbound = createOutbound(outboundDeps);
      return {
        ...{ held, outbound },
        die: () => lost.abort(),
        async drain() {
          const since = time;
          for (let rounds = 0; rounds < 1_000; rounds++) {
            const ms = await outbound.run(held);
            if (ms === undefined) return time - since;
            await pass(Math.max(1, ms));
          }
          throw new Error("There is no end of messages");
        },
      };
    },
    async contact(connectionId, channel, { address = String(addresses++), ...facts } = {}) {
      return { ...(await makeContact(sql, { channel, connectionId, address, ...facts })), address };
    },
    async begin(contact, flow) {
      const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, quick(flow));
      return takeChat(contact, publicId);
    },
    async beginAll(contacts, flow) {
      const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, quick(flow));
      await Promise.all(contacts.map((contact) => takeChat(contact, publicId)));
    },
    async reply(contact, sessionId, message) {
      await continueChat(deps, {
        ...{ sessionId, message, contact, key: `in ${newId()}` },
        ...{ contentFormat: "richText", origins: noOrigins, hops: noHops },
      });
    },
    sendings: (contact) => sql<Sending[]>`
      select state, source, attempts, error_class, error_code, provider_id
      from channel_sendings
      where contact_id = ${contact.id}
      order by sequence`,
    async logs(resultId) {
      const rows = await sql<{ description: string }[]>`
        select description from logs where result_id = ${resultId} order by position`;
      return rows.map(({ description }) => description);
    },
    async close() {
      await moveClock(sql, 0);
      await threads.close();
      await api.close();
      await telegram.close();
      await webhook.close();
    },
  };
}
