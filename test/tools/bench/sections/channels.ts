import { createServer, type IncomingMessage } from "node:http";
import { Type } from "@sinclair/typebox";
import { signatureHeaders } from "../../../../src/core/channels/webhook/index.ts";
import { textAt, valueAt } from "../../../../src/core/interpreter/flow.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { closeServer, listen } from "../../../fake-channels/telegram.ts";
import type { Bench } from "../bench.ts";
import { type Latencies, median, summarise } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";

/** The messages per second when only the messenger's calls are measured. */
const callsPerSecond = 500;
/** The number of bot accounts. A provider accepts 30 messages a second from each account. */
const accounts = 40;
/** The number of contacts who chat concurrently in the search for the highest rate. */
const talkers = 48;
/**
 * The seconds of the warm-up, in which a holder acquires a connection. This takes up to two seconds after the first
 * message.
 */
const settleSeconds = 3;
/** A call that was not stored in time is repeated after this delay. */
const againMs = 100;
let refused = 0;
/** The number of concurrent inserts, which use no more connections than the service. */
const insertsAtOnce = 16;

/** Measures bots on messengers: only the calls of a messenger, and whole conversations. */
export async function measureChannels(bench: Bench): Promise<void> {
  const telegram = await startTelegram();
  const settings = { TELEGRAM_API_URL: telegram.url, CHAT_URL: "https://chat.example.com", RATE_LIMITS: "off" };
  try {
    await bench.withAnother("parley_bench_channels", (another) => measure(another, telegram), settings);
  } finally {
    await telegram.close();
  }
}

async function measure(bench: Bench, telegram: Telegram): Promise<void> {
  const { sql } = bench.floors;
  await sql`create table bench_inbox (like channel_inbox including defaults including indexes)`;
  await measureCalls(bench);
  await measureConversations(bench, telegram);
  print(`- ${refused} calls were answered 503, and came again`);
}

/** Inserts the smallest possible row of the inbox. */
function insertBare({ floors: { sql } }: Bench): Promise<unknown> {
  const id = newId();
  return sql`
    insert into bench_inbox (shard, id, connection_id, provider_id, kind, content, sequence, state)
    values (1, ${id}, ${id}, ${id}, 'message', '{"kind":"message"}', 1, 'waiting')`;
}

/** Measures only the calls. No bot answers, so each message is only stored as a row. */
async function measureCalls(bench: Bench): Promise<void> {
  const { workspaceId } = await bench.publish(answering);
  const { connectionId, secret } = await connect(bench, workspaceId, {
    ...{ channel: "webhook", name: "Calls", settings: { url: "https://example.com/" }, secrets: {} },
  });
  const call = async (index: number): Promise<void> => {
    const body = JSON.stringify({ id: newId(), contact: { id: `c${index % 1_000}` }, message: { text: "Hi" } });
    const headers = signatureHeaders({ id: newId(), seconds: Math.floor(Date.now() / 1_000), body }, [secret]);
    await post(bench, connectionId, body, Object.fromEntries(headers));
  };
  const seconds = Math.max(2, bench.pace.seconds);
  const measured: { calls: Latencies; inserts: Latencies }[] = [];
  await atRate({ perSecond: callsPerSecond, seconds: settleSeconds }, call);
  for (let round = 0; round < bench.pace.rounds; round++) {
    const inserts = await atRate({ perSecond: callsPerSecond, seconds }, () => insertBare(bench));
    const calls = await atRate({ perSecond: callsPerSecond, seconds }, call);
    measured.push({ calls: summarise(calls), inserts: summarise(inserts) });
  }
  const of = (read: (round: { calls: Latencies; inserts: Latencies }) => number) => measured.map(read);
  printTable(
    [`${callsPerSecond} a second`, "a call, ms", "a bare insert, ms", "ratio"],
    (["p50", "p99"] as const).map((part) => [
      part,
      ratios(of(({ calls }) => calls[part])),
      ratios(of(({ inserts }) => inserts[part])),
      ratios(of(({ calls, inserts }) => calls[part] / Math.max(0.01, inserts[part]))),
    ]),
  );
  print("");
  printTarget(`p99 of a messenger's call at ${callsPerSecond} a second`, {
    value: median(of(({ calls }) => calls.p99)),
    most: 50,
    unit: " ms",
  });
}

const answering = {
  ...{ version: "6.1", name: "Messenger", edges: [{ id: "e", from: { eventId: "s" }, to: { groupId: "g" } }] },
  events: [{ id: "s", type: "start", outgoingEdgeId: "e", graphCoordinates: { x: 0, y: 0 } }],
  variables: [{ id: "v", name: "Name" }],
  groups: [
    {
      ...{ id: "g", title: "Talk", graphCoordinates: { x: 0, y: 0 } },
      blocks: [
        { id: "b1", type: "text", content: { richText: [{ type: "p", children: [{ text: "Your name?" }] }] } },
        { id: "b2", type: "text input", options: { variableId: "v" } },
        { id: "b3", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello {{Name}}" }] }] } },
        { id: "b4", type: "text input" },
      ],
    },
  ],
  settings: { messenger: { isEnabled: true }, typingEmulation: { enabled: false } },
};

/** Measures whole conversations: two messages of a contact, with one answer each. */
async function measureConversations(bench: Bench, telegram: Telegram): Promise<void> {
  const { botId, workspaceId } = await bench.publish(answering);
  const lines: Line[] = [];
  for (let index = 0; index < accounts; index++) {
    const secrets = { botToken: `${1_000 + index}:AAtoken-of-a-bot-account-${index}` };
    const made = await connect(bench, workspaceId, {
      ...{ channel: "telegram", name: `Account ${index}`, settings: { transport: "webhook" }, secrets },
      bots: [{ botId, isEnabled: true }],
    });
    lines.push({ ...made, updates: 1_000 });
  }
  let contacts = 0;
  const talk = async (): Promise<void> => {
    const contact = ++contacts;
    const line = lines[contact % accounts];
    if (!line) return;
    for (const text of ["Hi", "Ana"]) {
      const answered = telegram.next(contact);
      await write(bench, line, { contact, text });
      await answered;
    }
  };
  const seconds = Math.max(4, 2 * bench.pace.seconds);
  await atRate({ perSecond: accounts, seconds: settleSeconds }, talk);
  const order = { concurrency: talkers, seconds, warmUpSeconds: 1 };
  const full = await bench.floors.measure(order, talk);
  const bare = await bench.floors.measure({ ...order, concurrency: insertsAtOnce }, () => insertBare(bench));
  const perSecond = Math.max(1, Math.round(full.perSecond / 2));
  const { sql } = bench.floors;
  const [{ since }] = await sql<[{ since: Date }]>`select clock() as since`;
  const talks = summarise(await atRate({ perSecond, seconds }, talk));
  const inserts = summarise(await atRate({ perSecond: 2 * perSecond, seconds }, () => insertBare(bench)));
  const [step] = await sql<[{ count: number; p50: number; p99: number }]>`
    select
      count(*)::integer as count,
      coalesce(percentile_cont(0.5) within group (order by ms), 0) as p50,
      coalesce(percentile_cont(0.99) within group (order by ms), 0) as p99
    from (
      select extract(epoch from o.attempted_at - t.created_at) * 1000 as ms
      from channel_sendings o
      join steps t on t.session_id = o.session_id and t.revision = o.revision
      where o.position = 0 and o.created_at > ${since}
    ) as taken`;
  printTable(
    ["whole conversations", "messages/s", "of bare inserts/s"],
    [
      ["as many as are answered", rates([2 * full.perSecond]), ratios([(2 * full.perSecond) / bare.perSecond])],
      ["half of that", rates([2 * perSecond]), ratios([(2 * perSecond) / bare.perSecond])],
    ],
  );
  printTable(
    ["at half of the rate", "p50, ms", "p99, ms"],
    [
      ["a bare insert", ratios([inserts.p50]), ratios([inserts.p99])],
      ["a conversation of two messages", ratios([talks.p50]), ratios([talks.p99])],
      ["of a bare insert's", ratios([talks.p50 / inserts.p50]), ratios([talks.p99 / inserts.p99])],
      [`from a step to its first call (${step.count})`, ratios([step.p50]), ratios([step.p99])],
    ],
  );
  print("");
  bench.figures.ratio("channels: messages of conversations, of bare inserts", [(2 * full.perSecond) / bare.perSecond]);
  printTarget("p99 from a step to its first call", { value: step.p99, most: 150, unit: " ms" });
}

type Line = { readonly connectionId: string; readonly secret: string; updates: number };

async function connect(
  bench: Bench,
  workspaceId: string,
  body: object,
): Promise<{ readonly connectionId: string; readonly secret: string }> {
  const path = `/api/v1/workspaces/${workspaceId}/channel-connections`;
  const made = await bench.service.post(path, body, Type.Unknown());
  const [secret] = Object.values(Object(valueAt(made, "madeSecrets")));
  return { connectionId: textAt(made, "channelConnection", "id") ?? "", secret: String(secret) };
}

function write(bench: Bench, line: Line, { contact, text }: { contact: number; text: string }): Promise<void> {
  const id = ++line.updates;
  const person = { id: contact, first_name: "Ana" };
  const date = Math.floor(Date.now() / 1_000);
  const message = { message_id: id, date, text, from: person, chat: { ...person, type: "private" } };
  return post(bench, line.connectionId, JSON.stringify({ update_id: id, message }), {
    "X-Telegram-Bot-Api-Secret-Token": line.secret,
  });
}

async function post(
  { service }: Bench,
  connectionId: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (;;) {
    const response = await fetch(`${service.url}/api/v1/channels/${connectionId}/webhook`, {
      ...{ method: "POST", body },
      headers: { "Content-Type": "application/json", ...headers },
    });
    await response.text();
    if (response.status === 200) return;
    if (response.status !== 503) throw new Error(`A call of a messenger was answered ${response.status}`);
    // The call is repeated, as providers do. Its latency is measured from the first attempt.
    refused++;
    await Bun.sleep(againMs);
  }
}

/**
 * Runs the action at a fixed rate, regardless of its duration. Returns the durations, measured from the planned start.
 */
async function atRate(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  once: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const begunAt = performance.now();
  const took: Promise<number>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const at = begunAt + (1_000 * index) / perSecond;
    if (at > performance.now()) await Bun.sleep(at - performance.now());
    took.push(once(index).then(() => performance.now() - at));
  }
  return Promise.all(took);
}

type Telegram = {
  readonly url: string;
  /** Resolves when a message for this chat arrives. */
  next(chat: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts a provider that accepts all calls immediately, because the provider is not measured. */
async function startTelegram(): Promise<Telegram> {
  const waiting = new Map<number, () => void>();
  let messages = 0;
  const server = createServer(async (request, response) => {
    const [, botId = "0", method = ""] = /^\/bot(\d+)[^/]*\/(\w+)$/.exec(request.url ?? "") ?? [];
    const chat = Number(valueAt(await jsonOf(request), "chat_id"));
    response.setHeader("Content-Type", "application/json");
    const result =
      method === "getMe"
        ? { id: Number(botId), is_bot: true, first_name: "Bot", username: `bot${botId}` }
        : method === "getWebhookInfo"
          ? { url: "" }
          : method === "sendMessage"
            ? { message_id: ++messages }
            : true;
    response.end(JSON.stringify({ ok: true, result }));
    if (method !== "sendMessage") return;
    waiting.get(chat)?.();
    waiting.delete(chat);
  });
  return {
    url: await listen(server),
    next: (chat) => new Promise((resolve) => void waiting.set(chat, resolve)),
    close: () => closeServer(server),
  };
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || "{}");
}
