import { valueAt } from "../support/client.ts";
import type { Turnstile } from "./turnstile.ts";

/** The acknowledged responses of one conversation, in order. */
export type Talked = { readonly ticket: string; readonly sessionId: string; readonly responses: readonly unknown[] };

export type Visitor = {
  /** Returns the addresses of the listening nodes. */
  urls(): readonly string[];
  readonly publicId: string;
  readonly replies: readonly string[];
  readonly random: () => number;
  /** Called when something happens that must never happen. */
  violated(what: string): void;
  /** Called when a response has arrived, with the start times of the last and the first attempt of its request. */
  answered(sentAt: number, firstSentAt: number): void;
  /** Called when a request failed that the visitor will repeat. */
  failed?(what: string): void;
  /** Keeps visitors from sending requests while the turnstile is closed. */
  readonly turnstile?: Turnstile;
  /** How long a visitor waits for a response before sending the request again. */
  readonly requestMs?: number;
};

/** Longer than any outage that the test causes, plus the time until a claim expires. */
const patienceMs = 180_000;
const pauseMs = 50;
const thinkMs = 150;
const requestMsByDefault = 20_000;
/** The statuses that may pass. A visitor cannot recover from any other error. */
const passing = new Set([409, 503]);

/**
 * Runs one conversation to its end. Each request is repeated with its key until it is answered or the visitor gives up.
 */
export async function talk(visitor: Visitor, ticket: string): Promise<Talked | undefined> {
  const started = await ask(visitor, `/api/v1/bots/${visitor.publicId}/startChat`, {
    prefilledVariables: { Ticket: ticket },
  });
  const sessionId = valueAt(started, "sessionId");
  if (typeof sessionId !== "string") return undefined;
  const responses: unknown[] = [started];
  for (const message of visitor.replies) {
    await Bun.sleep(visitor.random() * thinkMs);
    const answered = await ask(visitor, `/api/v1/sessions/${sessionId}/continueChat`, { message });
    if (answered === undefined) return undefined;
    responses.push(answered);
  }
  return { ticket, sessionId, responses };
}

function ask(visitor: Visitor, path: string, body: object): Promise<unknown> {
  const insistently = () => askInsistently(visitor, path, body);
  return visitor.turnstile ? visitor.turnstile.inside(insistently) : insistently();
}

async function askInsistently(visitor: Visitor, path: string, body: object): Promise<unknown> {
  const request = { path, body, key: crypto.randomUUID() };
  const isImpatient = visitor.random() < 0.1;
  const [first, second] = await Promise.all([
    insist(visitor, request),
    isImpatient ? insist(visitor, request) : undefined,
  ]);
  const again = visitor.random() < 0.1 ? await insist(visitor, request) : undefined;
  for (const other of [second, again]) {
    if (other !== undefined && !Bun.deepEquals(other, first))
      visitor.violated(`${path}: one key had two answers: ${JSON.stringify(first)} and ${JSON.stringify(other)}`);
  }
  return first;
}

type Asked = { readonly path: string; readonly body: object; readonly key: string };

async function insist(visitor: Visitor, asked: Asked): Promise<unknown> {
  const begunAt = performance.now();
  const until = begunAt + patienceMs;
  let last = "no node listened";
  while (performance.now() < until) {
    const answer = await askOnce(visitor, asked, begunAt);
    if (answer.kind === "answered") return answer.body;
    if (answer.kind === "refused") {
      visitor.violated(`${asked.path}: ${answer.what}`);
      return undefined;
    }
    last = answer.what;
    visitor.failed?.(`${asked.path}: ${answer.what}`);
    await Bun.sleep(pauseMs);
  }
  visitor.violated(`${asked.path}: no answer within ${patienceMs} ms, at last: ${last}`);
  return undefined;
}

type Answer =
  | { readonly kind: "answered"; readonly body: unknown }
  | { readonly kind: "refused" | "failed"; readonly what: string };

async function askOnce(visitor: Visitor, { path, body, key }: Asked, firstSentAt: number): Promise<Answer> {
  const { answered } = visitor;
  const sentAt = performance.now();
  try {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    const response = await postToNode(visitor, path, headers, JSON.stringify(body));
    if (response.status === 200) {
      const told: unknown = await response.json();
      answered(sentAt, firstSentAt);
      return { kind: "answered", body: told };
    }
    const what = `${response.status} ${await response.text()}`;
    if (passing.has(response.status) && !response.headers.has("retry-after"))
      return { kind: "refused", what: `${what} without Retry-After` };
    return { kind: passing.has(response.status) ? "failed" : "refused", what };
  } catch (error) {
    // The node died, or the response was cut off, so the step may or may not be saved.
    return { kind: "failed", what: String(error) };
  }
}

async function postToNode(
  { urls, random, requestMs = requestMsByDefault }: Visitor,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Response> {
  const nodes = urls();
  const url = nodes[Math.floor(random() * nodes.length)];
  if (url === undefined) throw new Error("No node listens");
  return await fetch(`${url}${path}`, { method: "POST", headers, body, signal: AbortSignal.timeout(requestMs) });
}
