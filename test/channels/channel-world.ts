import { type Holding, startHolding } from "../../src/channels/holding/holding.ts";
import { outboundOf } from "../../src/channels/holding/outbound-of.ts";
import type { Outbound } from "../../src/channels/outbound/outbound.ts";
import type { Config } from "../../src/config.ts";
import type { ProviderMessage } from "../../src/core/channels/channel.ts";
import { signatureHeaders } from "../../src/core/channels/webhook/index.ts";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import { createSafeFetch, resolveBySystem } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { createSafeStream } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";
import type { Clock } from "../../src/platform/concurrency/clock.ts";
import { startPollLoop } from "../../src/platform/concurrency/poll-loop.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { connectTelegram, connectWebhookChannel } from "../support/channels.ts";
import { publish } from "../support/chat.ts";
import type { Answer } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testKey } from "../support/events.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

/** A service with webhook and Telegram connections, to which tests send the messages of contacts. */
export type ChannelWorld = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly workspaceId: string;
  readonly holding: Holding;
  readonly database: TestDatabase;
  /** The typing indicators and other signs for contacts, recorded only without `isSending`. */
  readonly signs: { readonly contactId: string; readonly message: ProviderMessage }[];
  /** Publishes a flow as a bot that is enabled for messengers. */
  makeBot(flow: object, messenger?: object): Promise<{ botId: string; publicId: string }>;
  /** Creates a webhook connection that the given bots answer. */
  connectWebhook(bots: readonly object[], settings?: object, url?: string): Promise<Program>;
  connectTelegram(bots: readonly object[], settings?: object, botToken?: string): Promise<Account>;
  /** Resolves when no inbox row is waiting. */
  settled(): Promise<void>;
  /** Returns the inbox rows of a connection in their order. */
  inbox(
    connectionId: string,
  ): Promise<{ kind: string; state: string; reason: string | null; revision: number | null }[]>;
  /** Returns the bot's texts in each chat of a contact, joined with ` | `. The oldest chat comes first. */
  said(connectionId: string, address: string): Promise<string[]>;
  close(): Promise<void>;
};

export type Program = {
  readonly connectionId: string;
  readonly secret: string;
  post(body: unknown, options?: { readonly secret?: string; readonly seconds?: number }): Promise<Answer>;
  write(contactId: string, text: string, more?: object): Promise<Answer>;
};

export type Account = {
  readonly connectionId: string;
  readonly botToken: string;
  /** Reports an update, as Telegram does. */
  report(update: object, options?: { readonly secret?: string }): Promise<Answer>;
};

export type ChannelWorldOptions = {
  readonly config?: Partial<Config>;
  /** Whether the messages of bots are sent. */
  readonly isSending?: boolean;
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Wraps the SQL client that renews leases. */
  readonly leaseSql?: (sql: Sql) => Sql;
  /** The world whose database this additional node shares. */
  readonly beside?: ChannelWorld;
  /** Defaults to a new database that is migrated and empty. */
  readonly database?: TestDatabase;
  /** If false, the node does not poll for due work. */
  readonly looksByItself?: boolean;
  readonly clock?: Clock;
};

export async function createChannelWorld(options: ChannelWorldOptions = {}): Promise<ChannelWorld> {
  const threads: Threads = createThreads({ count: 1 });
  let holding: Holding | undefined;
  const telegramUrl = options.config?.TELEGRAM_API_URL;
  const database = options.beside?.database ?? options.database ?? (await createTestDatabase());
  const api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, CHAT_URL: "https://chat.example.com", ...options.config },
    onInbound: (connectionId) => holding?.ring(connectionId),
    onChannelSteps: (contactIds) => holding?.stepped(contactIds),
    ...(options.through && { through: options.through }),
    ...(options.clock && { clock: options.clock }),
    safeFetch: createSafeFetch({
      permits: (address, rules) => address === "127.0.0.1" || isPublicAddress(address, rules),
      ...(telegramUrl !== undefined && { channelServers: new Set([new URL(telegramUrl).origin]) }),
    }),
    database,
  });
  const signs: { contactId: string; message: ProviderMessage }[] = [];
  const silent: Outbound = {
    run: async () => undefined,
    sign: (_held, contactId, message) => void signs.push({ contactId, message }),
    draft: async () => "passed",
  };
  holding = startHolding(withFiles(api.deps, telegramUrl), {
    outbound: options.isSending ? outboundOf(withFiles(api.deps, telegramUrl)) : silent,
    ...(options.leaseSql && { leaseSql: options.leaseSql(api.deps.sql) }),
  });
  const wake = (): void => {
    if (options.looksByItself !== false) holding?.wake();
  };
  const poll = startPollLoop({ everyMs: 1_500, onFailure: () => {}, run: async () => wake() });
  const owner = options.beside?.owner ?? (await api.makeUser());
  const workspaceId = options.beside?.workspaceId ?? (await api.makeWorkspace(owner));
  const { sql } = api.deps;
  const connecting = { client: api.client, token: owner.token, workspaceId };
  const world: ChannelWorld = {
    ...{ api, owner, workspaceId, holding, signs, database },
    makeBot: (flow, messenger = {}) =>
      publish(api.client, connecting, {
        ...flow,
        settings: { messenger: { isEnabled: true, ...messenger }, typingEmulation: { enabled: false } },
      }),
    async connectWebhook(bots, settings = {}, url = "https://example.com/bot") {
      const { connectionId, madeSecrets } = await connectWebhookChannel({
        ...connecting,
        ...{ url: "https://example.com/bot", bots, settings },
      });
      // The API rejects connections to a loopback address, so the test writes the URL to the database.
      const stored = JSON.stringify({ ...settings, url });
      await sql`update channel_connections set settings = ${stored}::text::json where id = ${connectionId}`;
      return programOf(api, connectionId, madeSecrets["secret"] ?? "");
    },
    async connectTelegram(bots, settings = {}, givenToken) {
      const { connectionId, botToken, madeSecrets } = await connectTelegram({
        ...{ ...connecting, bots, settings },
        ...(givenToken !== undefined && { botToken: givenToken }),
      });
      const known = madeSecrets["secretToken"] ?? "";
      return {
        ...{ connectionId, botToken },
        report: (update, { secret = known } = {}) =>
          api.client.post(`/api/v1/channels/${connectionId}/webhook`, {
            body: update,
            headers: { "X-Telegram-Bot-Api-Secret-Token": secret },
          }),
      };
    },
    async settled() {
      await waitFor(async () => {
        const waiting = await sql`select from channel_inbox where state = 'waiting'`;
        return waiting.length === 0;
      });
    },
    inbox: (connectionId) => sql`
      select kind, state, reason, revision
      from channel_inbox
      where connection_id = ${connectionId}
      order by sequence, id`,
    async said(connectionId, address) {
      const rows = await sql<{ text: string | null }[]>`
        select string_agg(m -> 'content' ->> 'plainText', ' | ' order by t.revision, o.n) as text
        from channel_addresses a
        join sessions s on s.channel_contact_id = a.contact_id
        join steps t on t.session_id = s.id
        cross join json_array_elements(t.response -> 'messages') with ordinality as o (m, n)
        where a.connection_id = ${connectionId} and a.value = ${address}
        group by s.id
        order by s.id`;
      return rows.map(({ text }) => text ?? "");
    },
    async close() {
      await poll.stop();
      await holding?.stop();
      await threads.close();
      // The first node closes the database, not an additional node.
      if (!options.beside) await api.close();
    },
  };
  return world;
}

export function programOf(api: TestApi, connectionId: string, secret: string): Program {
  const post: Program["post"] = (body, given = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { seconds = Math.floor(Date.now() / 1_000) } = given;
    const headers = signatureHeaders({ id: newId(), seconds, body: text }, [given.secret ?? secret]);
    return api.client.post(`/api/v1/channels/${connectionId}/webhook`, {
      rawBody: text,
      headers: { "Content-Type": "application/json", ...Object.fromEntries(headers) },
    });
  };
  return {
    ...{ connectionId, secret, post },
    write: (contactId, text, more = {}) =>
      post({ id: newId(), contact: { id: contactId }, message: { text }, ...more }),
  };
}

/** Posts a message until it is accepted, as a provider does, because a busy machine sometimes responds with 503. */
export async function report(program: Program, message: object): Promise<void> {
  await waitFor(
    async () => {
      const { status } = await program.post(message);
      if (status !== 200 && status !== 503) throw new Error(`A call was answered ${status}`);
      return status === 200;
    },
    { withinMs: 120_000, what: "a call of a messenger to be taken" },
  );
}

/** Resolves every `.example` host to this machine, and treats the loopback address as public. */
function withFiles(deps: TestApi["deps"], telegramUrl: string | undefined): TestApi["deps"] {
  const safeStream = createSafeStream({
    permits: (address, rules) => address === "127.0.0.1" || isPublicAddress(address, rules),
    resolve: async (host) =>
      host.endsWith(".example") ? [{ address: "127.0.0.1", family: 4 }] : resolveBySystem(host),
    ...(telegramUrl !== undefined && { channelServers: new Set([new URL(telegramUrl).origin]) }),
  });
  return { ...deps, safeStream };
}

let updates = 1_000;

export function partUpdate(chatId: number, part: object) {
  const { update_id, message } = textUpdate(chatId, "");
  const { text: _, ...rest } = message;
  return { update_id, message: { ...rest, ...part } };
}

export function textUpdate(chatId: number, text: string, more: { readonly updateId?: number } = {}) {
  updates++;
  const { updateId = updates } = more;
  const person = { id: chatId, first_name: "Ana" };
  const command = /^\/[a-z]+/.exec(text)?.[0];
  return {
    update_id: updateId,
    message: {
      ...{ message_id: updateId, date: Math.floor(Date.now() / 1_000), text, from: person },
      chat: { ...person, type: "private" },
      ...(command !== undefined && { entities: [{ type: "bot_command", offset: 0, length: command.length }] }),
    },
  };
}
