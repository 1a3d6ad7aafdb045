import { parseUntrustedJson } from "../../src/core/interpreter/language/untrusted-json.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../src/platform/ids.ts";
import type { Answer, Client } from "./client.ts";
import { startOutside } from "./outside.ts";

/** A fake Telegram with accounts and webhooks. All other methods do nothing and return true. */
export type TelegramAccounts = {
  readonly url: string;
  /** The called methods with their bodies, in order. */
  readonly calls: readonly { readonly token: string; readonly method: string; readonly body: unknown }[];
  /** Returns the webhook URL of an account, or an empty text. */
  webhookOf(token: string): string;
  setWebhook(token: string, url: string): void;
  readonly revoked: Set<string>;
  /** Error descriptions by method. The methods in this map fail. */
  readonly failing: Map<string, string>;
  close(): Promise<void>;
};

export async function startTelegramAccounts(): Promise<TelegramAccounts> {
  const calls: { token: string; method: string; body: unknown }[] = [];
  const webhooks = new Map<string, string>();
  const revoked = new Set<string>();
  const failing = new Map<string, string>();
  const server = await startOutside((request, response) => {
    const [, token = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.path) ?? [];
    const body: unknown = parseUntrustedJson(request.body)?.value;
    calls.push({ token, method, body });
    const refuse = (status: number, description: string) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ ok: false, error_code: status, description }));
    };
    if (revoked.has(token) || !/^\d+:/.test(token)) return refuse(401, `Unauthorized: ${token}`);
    const failure = failing.get(method);
    if (failure !== undefined) return refuse(400, failure);
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ ok: true, result: resultOf(method, { token, body, webhooks }) }));
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    webhookOf: (token) => webhooks.get(token) ?? "",
    setWebhook: (token, url) => webhooks.set(token, url),
    revoked,
    failing,
    close: () => server.close(),
  };
}

function resultOf(
  method: string,
  { token, body, webhooks }: { token: string; body: unknown; webhooks: Map<string, string> },
): unknown {
  const id = Number(token.split(":")[0]);
  switch (method) {
    case "getMe":
      return { id, is_bot: true, first_name: "Tea", username: `tea_${id}_bot` };
    case "getWebhookInfo":
      return { url: webhooks.get(token) ?? "", has_custom_certificate: false, pending_update_count: 0 };
    case "setWebhook": {
      const url = typeof body === "object" && body !== null && "url" in body ? body.url : "";
      webhooks.set(token, String(url));
      return true;
    }
    case "deleteWebhook":
      webhooks.delete(token);
      return true;
    default:
      return true;
  }
}

type Connecting = {
  readonly client: Client;
  readonly token: string;
  readonly workspaceId: string;
  readonly name?: string;
  readonly settings?: object;
  readonly bots?: readonly object[];
};

let accounts = 100_000;

/** Returns a token of a new account in the format of @BotFather. */
export function newBotToken(): string {
  accounts++;
  return `${accounts}:AAsecret-of-a-bot-account-${accounts}`;
}

/** Connects an account of the fake Telegram through the API. */
export async function connectTelegram({
  botToken = newBotToken(),
  ...rest
}: Connecting & { readonly botToken?: string }): Promise<Connected & { readonly botToken: string }> {
  const connected = await connect({ ...rest, channel: "telegram", secrets: { botToken } });
  return { ...connected, botToken };
}

/** Connects a webhook channel through the API. Messages of bots are posted to `url`. */
export async function connectWebhookChannel({
  url,
  settings = {},
  ...rest
}: Connecting & { readonly url: string }): Promise<Connected> {
  return connect({ ...rest, channel: "webhook", settings: { url, ...settings }, secrets: {} });
}

export type Connected = {
  readonly connectionId: string;
  readonly answer: Answer;
  /** The full secrets, which only this response contains. */
  readonly madeSecrets: Readonly<Record<string, string>>;
};

async function connect({
  client,
  token,
  workspaceId,
  channel,
  name = `Our ${channel}`,
  settings = {},
  secrets,
  bots = [],
}: Connecting & { channel: string; secrets: object }): Promise<Connected> {
  const answer = await client.post(`/api/v1/workspaces/${workspaceId}/channel-connections`, {
    token,
    body: { channel, name, settings, secrets, bots },
  });
  if (answer.status !== 200) throw new Error(`Connecting failed: ${JSON.stringify(answer.body)}`);
  const made = answer.at("madeSecrets");
  const madeSecrets = Object.fromEntries(
    Object.entries(typeof made === "object" && made !== null ? made : {}).map(([key, value]) => [key, String(value)]),
  );
  return { connectionId: answer.text("channelConnection.id"), answer, madeSecrets };
}

/** Creates a contact of a connection directly in the database. */
export async function putContact(
  sql: Sql,
  connectionId: string,
  { address = newId(), name = "Ada" }: { address?: string; name?: string } = {},
): Promise<string> {
  const contactId = newId();
  await sql`
    insert into channel_contacts (id, connection_id, kind, name, address_kind, address_value, last_inbound_at)
    values (${contactId}, ${connectionId}, 'person', ${name}, 'chat', ${address}, clock())`;
  await sql`
    insert into channel_addresses (connection_id, kind, value, contact_id)
    values (${connectionId}, 'chat', ${address}, ${contactId})`;
  return contactId;
}

type PutMessage = {
  readonly connectionId: string;
  readonly contactId: string;
  readonly state: string;
  readonly sessionId?: string;
};

/** Stores a message to a contact in the given state. */
export async function putSending(
  sql: Sql,
  {
    connectionId,
    contactId,
    state,
    sessionId,
    message = { method: "message", body: { type: "text", text: "Tea?" } },
  }: PutMessage & { message?: object },
): Promise<string> {
  const id = newId(shardOf(connectionId));
  await sql`
    with contact as (
      update channel_contacts
      set next_sequence = next_sequence + 1
      where id = ${contactId}
      returning next_sequence - 1 as sequence
    )
    insert into channel_sendings (
      shard, id, connection_id, contact_id, sequence, source, session_id, revision, position, message, state, error_class,
      error_code, settled_at
    )
    select
      ${shardOf(connectionId)}::smallint, ${id}::uuid, ${connectionId}::uuid, ${contactId}::uuid, sequence, 'step',
      ${sessionId ?? null}::uuid, 1, sequence, ${JSON.stringify(message)}::text::json, ${state},
      case when ${state === "failed"} then 'unreachable' end, case when ${state === "failed"} then '403' end,
      case when ${state !== "pending"} then clock() end
    from contact`;
  return id;
}

/** Stores a message from a contact in the given state. */
export async function putInbox(
  sql: Sql,
  { connectionId, contactId, state, sessionId, content }: PutMessage & { content: object },
): Promise<string> {
  const id = newId(shardOf(connectionId));
  await sql`
    insert into channel_inbox (shard, id, connection_id, provider_id, contact_id, kind, content, sequence, state, session_id)
    select
      ${shardOf(connectionId)}, ${id}, ${connectionId}, ${id}, ${contactId}, 'message',
      ${JSON.stringify(content)}::text::json, count(*), ${state}, ${sessionId ?? null}
    from channel_inbox
    where connection_id = ${connectionId}`;
  return id;
}
