import { Webhook } from "standardwebhooks";
import { type Arrival, createLedger } from "./event-ledger.ts";
import type { ReceiverReport, ReceiverRules } from "./event-receiver.ts";

// A receiver of events in a separate process, so that it does not affect measurements of processor time.
// `event-receiver.ts` starts it.

let rules: ReceiverRules = { secret: "", delayMs: 0, blockIds: [] };
let webhook = new Webhook("whsec_AAAA");
let ledger = createLedger();
let ports = new Set<number>();
let lagsMs: number[] = [];
let requests = 0;
let unverified = 0;
/** The sender's port of each unanswered request. */
const underWay = new Map<Request, number>();
let mostAtOnce = 0;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 120,
  async fetch(request, from) {
    const path = request.url.slice(request.url.indexOf("/", "http://".length));
    if (path !== "/") return await answerOwner(path, request);
    const port = from.requestIP(request)?.port ?? 0;
    ports.add(port);
    underWay.set(request, port);
    mostAtOnce = Math.max(mostAtOnce, underWay.size);
    const status = await take(await request.text(), request.headers).finally(() => underWay.delete(request));
    return new Response(null, { status });
  },
});
process.stdout.write(`${server.port}\n`);

async function answerOwner(path: string, request: Request): Promise<Response> {
  switch (path) {
    case "/rules":
      begin(await request.json());
      return new Response();
    case "/report":
      return Response.json(report());
    case "/count":
      return new Response(String(ledger.counts().events));
    case "/under-way":
      return Response.json([...underWay.values()]);
    case "/chats":
      return Response.json(Object.fromEntries(ledger.chats));
    default:
      return new Response(null, { status: 404 });
  }
}

/** Resets all counts and sets new rules. */
function begin(next: ReceiverRules): void {
  rules = next;
  webhook = new Webhook(next.secret);
  ledger = createLedger();
  [requests, unverified, mostAtOnce] = [0, 0, 0];
  report();
}

/** Returns the counts. Lags and connections are those since the last report. */
function report(): ReceiverReport {
  const { events, repeats } = ledger.counts();
  const told = { requests, events, repeats, unverified, mostAtOnce, connections: ports.size, lagsMs };
  ports = new Set();
  lagsMs = [];
  return { ...told, problems: ledger.problems.slice(0, 20), problemCount: ledger.problems.length };
}

async function take(body: string, headers: Headers): Promise<number> {
  const receivedAt = Date.now();
  const [ownLedger, { delayMs }] = [ledger, rules];
  requests++;
  const signed = Object.fromEntries([...headers].filter(([name]) => name.startsWith("webhook-")));
  const event = verified(body, signed, receivedAt);
  if (!event) {
    unverified++;
    return 400;
  }
  if (event.arrival && ownLedger.arrived(event.arrival)) lagsMs.push(receivedAt - event.arrival.createdAt);
  if (delayMs > 0) await Bun.sleep(delayMs);
  if (event.arrival) ownLedger.answered(event.arrival);
  return 200;
}

/** Returns the event if its signature is valid. An event without a chat has no arrival. */
function verified(
  body: string,
  headers: Record<string, string>,
  receivedAt: number,
): { arrival: Arrival | undefined } | undefined {
  try {
    webhook.verify(body, headers);
  } catch {
    return undefined;
  }
  const { type, timestamp, data } = JSON.parse(body);
  const place = placeOf(type, data);
  const id = headers["webhook-id"] ?? "";
  if (place === undefined) return { arrival: undefined };
  const times = { createdAt: Date.parse(timestamp), receivedAt };
  return { arrival: { id, body, sessionId: String(data.sessionId), place, content: data.answer?.content, ...times } };
}

function placeOf(type: string, data: { answer?: { blockId?: string } }): number | undefined {
  if (type === "result.started") return 0;
  if (type === "result.completed") return rules.blockIds.length + 1;
  if (type === "result.answered") return 1 + rules.blockIds.indexOf(data.answer?.blockId ?? "");
  return undefined;
}
