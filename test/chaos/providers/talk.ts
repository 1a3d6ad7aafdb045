import { type Client, createClient, valueAt } from "../../support/client.ts";
import { inputs, timedSeconds } from "./flow.ts";

/** All responses and replies that were acknowledged to one visitor. */
export type Chat = {
  readonly ticket: string;
  readonly sessionId: string;
  readonly resultId: string;
  /** The responses with status 200 to the requests of the chat. */
  readonly responses: readonly unknown[];
  /** The acknowledged replies, by their block. */
  readonly replies: ReadonlyMap<string, string>;
};

export type Outside = {
  /** Returns the addresses of the listening nodes. */
  urls(): readonly string[];
  readonly publicId: string;
  readonly random: () => number;
  /** Called when something happens that must never happen. */
  violated(what: string): void;
  /** Pays a session's intent unless it is paid. */
  pay(sessionId: string): Promise<void>;
  /** Returns the provider's report of a session's payment. */
  report(sessionId: string): Promise<{ readonly path: string; readonly body: string; readonly signature: string }>;
};

type Answer = Awaited<ReturnType<Client["post"]>>;

const patienceMs = 180_000;
const pauseMs = 50;
const requestMs = 20_000;

/** Sends a request to nodes until one returns a response that another attempt would not change. */
async function insist(outside: Outside, asked: (client: Client) => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + patienceMs;
  let last = "no node listened";
  while (performance.now() < until) {
    const urls = outside.urls();
    const baseUrl = urls[Math.floor(outside.random() * urls.length)];
    const answer =
      baseUrl === undefined
        ? undefined
        : await Promise.race([asked(createClient({ baseUrl })).catch(String), Bun.sleep(requestMs)]);
    if (typeof answer === "object" && !isPassing(answer)) return answer;
    last = typeof answer === "object" ? `${answer.status} ${JSON.stringify(answer.body)}` : String(answer);
    await Bun.sleep(pauseMs);
  }
  throw new Error(`No answer within ${patienceMs} ms, at last: ${last}`);
}

function isPassing({ status, body }: Answer): boolean {
  return status === 503 || (status === 409 && valueAt(body, "code") !== "session.moved_on");
}

/** Sends one request with one key, sometimes twice in parallel or repeated. Responses with status 200 must be equal. */
async function askOnce(outside: Outside, asked: (client: Client, key: string) => Promise<Answer>): Promise<Answer> {
  const key = crypto.randomUUID();
  const ask = () => insist(outside, (client) => asked(client, key));
  const isImpatient = outside.random() < 0.15;
  const [first, second] = await Promise.all([ask(), isImpatient ? ask() : undefined]);
  const again = outside.random() < 0.1 ? await ask() : undefined;
  for (const other of [second, again]) {
    // A rejection is not stored under its key.
    if (other && other.status === 200 && first.status === 200 && !Bun.deepEquals(other.body, first.body))
      outside.violated(
        `one key had two answers: ${JSON.stringify(first.body)} and ${JSON.stringify(other.body)}`.slice(0, 2_000),
      );
  }
  return first.status === 200 ? first : (second ?? first);
}

/** Runs one chat to its end. */
export async function talk(outside: Outside, ticket: string): Promise<Chat> {
  const { random } = outside;
  const started = await askOnce(outside, (client, key) =>
    client.post(`/api/v1/bots/${outside.publicId}/startChat`, { body: {}, headers: { "Idempotency-Key": key } }),
  );
  const sessionId = started.text("sessionId");
  const [, address = ""] =
    /Call \S+(\/api\/v1\/callbacks\/\S+)/.exec(started.text("messages.0.content.plainText")) ?? [];
  const responses: unknown[] = [started.body];
  const replies = new Map<string, string>();
  /** The blocks for which the visitor, the provider and the caller have done their part. */
  const done = new Set<string>();
  const reply = async (blockId: string, message: string, afterRevision: number): Promise<void> => {
    const answer = await askOnce(outside, (client, key) =>
      client.post(`/api/v1/sessions/${sessionId}/continueChat`, {
        body: { message, afterRevision },
        headers: { "Idempotency-Key": key },
      }),
    );
    // The chat has continued by itself, so the visitor reads it again.
    if (answer.status === 409) {
      done.delete(blockId);
      return;
    }
    if (answer.status !== 200) {
      outside.violated(`a reply to ${blockId} of ${ticket}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return;
    }
    responses.push(answer.body);
    if (replies.has(blockId)) outside.violated(`two replies to ${blockId} of ${ticket} were acknowledged`);
    replies.set(blockId, message);
  };
  const call = async (): Promise<void> => {
    const times = random() < 0.3 ? 2 : 1;
    const calls = Array.from({ length: times }, () =>
      insist(outside, (client) =>
        client.post(address, { body: { order: ticket }, headers: { "webhook-id": `call-${ticket}` } }),
      ),
    );
    // Status 410 means that the other call has already continued the chat, and the chat has ended.
    for (const { status, body } of await Promise.all(calls))
      if (![200, 410].includes(status)) outside.violated(`a call of ${ticket}: ${status} ${JSON.stringify(body)}`);
  };
  const reported = async (): Promise<void> => {
    const { path, body, signature } = await outside.report(sessionId);
    const answer = await insist(outside, (client) =>
      client.post(path, { rawBody: body, headers: { "stripe-signature": signature } }),
    );
    if (answer.status !== 200) outside.violated(`a report about ${ticket}: ${answer.status}`);
  };
  const calling: Promise<void>[] = [];
  const until = performance.now() + patienceMs;
  for (;;) {
    if (performance.now() > until) throw new Error(`${ticket} does not end: ${[...done].join(", ")} were done`);
    const now = await insist(outside, (client) => client.get(`/api/v1/sessions/${sessionId}`));
    const revision = Number(now.at("session.revision"));
    if (now.at("session.isEnded") === true) break;
    const blockId = String(now.at("session.input.id") ?? "listen");
    if (done.has(blockId)) {
      await Bun.sleep(pauseMs);
      continue;
    }
    done.add(blockId);
    switch (blockId) {
      case inputs.name:
        await reply(blockId, ticket, revision);
        break;
      case inputs.payment: {
        await outside.pay(sessionId);
        const ways = [
          () => reply(blockId, "Success", revision),
          reported,
          () => Promise.all([reply(blockId, "Success", revision), reported()]),
          () => Promise.all([reported(), reported()]),
        ];
        await ways[Math.floor(random() * ways.length)]?.();
        break;
      }
      case inputs.timed:
        if (random() < 0.3) {
          done.add("listen");
          calling.push(call());
        }
        // The visitor replies immediately, near the timeout, or never.
        if (random() < 0.7) {
          if (random() < 0.6) await Bun.sleep(1_000 * timedSeconds * (0.8 + random() * 0.6));
          await reply(blockId, "7", revision);
        }
        break;
      case "listen":
        calling.push(call());
        break;
      case inputs.last:
        await reply(blockId, "ana@example.com", revision);
        break;
      default:
        outside.violated(`${ticket} waits at ${blockId}`);
    }
  }
  await Promise.all(calling);
  return { ticket, sessionId, resultId: started.text("resultId"), responses, replies };
}
