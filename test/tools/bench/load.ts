import { type Connection, openConnection, requestTail } from "../../../src/commands/bench/connection.ts";
import { cpuMs } from "../../../src/platform/processes/processor-time.ts";
import { type Latencies, summarise } from "./numbers.ts";

/**
 * The configuration of the load generator, which runs as a separate process. It is passed as JSON in the first
 * argument.
 */
export type LoadOrder = {
  readonly host: string;
  readonly port: number;
  readonly concurrency: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly work: Work;
  /** The total requests of all visitors per second. By default, the rate is not limited. */
  readonly perSecond?: number;
  /** The processes whose processor time is counted during the measurement. */
  readonly servicePids: readonly number[];
  readonly databasePid: number;
};

export type Work =
  /** Visitors who complete chats sequentially. */
  | { readonly kind: "conversations"; readonly publicId: string; readonly replies: readonly string[] }
  /**
   * Like `conversations`, but all chats are started before the measurement. The measurement ends early when all started
   * chats are completed.
   */
  | { readonly kind: "steps"; readonly publicId: string; readonly replies: readonly string[] }
  | { readonly kind: "starts"; readonly publicId: string }
  /** Constant requests, given as method and path. */
  | { readonly kind: "requests"; readonly lines: readonly string[]; readonly headers: string };

/** The latencies of all requests by kind, the duration of the measurement, and its processor time. */
export type LoadReport = {
  readonly seconds: number;
  /** The latencies of steps, or of the requests of the kind `requests`. */
  readonly steps: Latencies;
  readonly starts: Latencies;
  readonly failures: number;
  readonly cpuMs: { readonly service: number; readonly database: number; readonly generator: number };
};

const order: LoadOrder = JSON.parse(process.argv[2] ?? "{}");
const { work, host, port } = order;
const steps: number[] = [];
const starts: number[] = [];
let failures = 0;

const startRequest =
  "publicId" in work ? `POST /api/v1/bots/${work.publicId}/startChat${requestTail({ host, port, body: "{}" })}` : "";
const replyTails = ("replies" in work ? work.replies : []).map(
  (message) => `/continueChat${requestTail({ host, port, body: JSON.stringify({ message }) })}`,
);
const fixedRequests = (work.kind === "requests" ? work.lines : []).map(
  (line) => `${line} HTTP/1.1\r\nHost: ${host}:${port}\r\n${work.kind === "requests" ? work.headers : ""}\r\n`,
);
/** Sessions that wait for their first reply. Filled before the measurement for the kind `steps`. */
const startedBefore: string[] = [];

let begin = performance.now() + order.warmUpSeconds * 1000;
let end = begin + order.seconds * 1000;
if (work.kind === "steps") {
  await Promise.all(Array.from({ length: order.concurrency }, prepare));
  begin = performance.now();
  end = begin + order.seconds * 1000;
}
let before: ReturnType<typeof usedCpu> | undefined = work.kind === "steps" ? usedCpu() : undefined;
await Promise.all(Array.from({ length: order.concurrency }, visit));
const after = usedCpu();
const measuredUntil = Math.min(end, performance.now());
const report: LoadReport = {
  seconds: (measuredUntil - begin) / 1000,
  steps: summarise(steps),
  starts: summarise(starts),
  failures,
  cpuMs: {
    service: after.service - (before?.service ?? 0),
    database: after.database - (before?.database ?? 0),
    generator: after.generator - (before?.generator ?? 0),
  },
};
process.stdout.write(JSON.stringify(report));
process.exit(0);

/** Handles a response, and sends the next request. Returns false if there is no further request. */
type Talk = (status: number, body: Buffer) => boolean;

/** Starts chats on one connection until the end of the warm-up. */
function prepare(): Promise<void> {
  return talk((connection) => {
    connection.send(startRequest);
    return (_status, body) => {
      startedBefore.push(sessionIdIn(body));
      if (performance.now() >= begin) return false;
      connection.send(startRequest);
      return true;
    };
  });
}

function visit(_: unknown, visitor: number): Promise<void> {
  return talk((opened) => {
    let sessionId = "";
    let said = -1;
    let sentAt = 0;
    let round = visitor;
    const everyMs = order.perSecond === undefined ? 0 : (1_000 * order.concurrency) / order.perSecond;
    let dueAt = performance.now() + (everyMs * visitor) / order.concurrency;
    const connection = { send: everyMs > 0 ? sendWhenDue : opened.send };

    /**
     * The latency of a late request is measured from the time when the request was due. Otherwise, only one slow
     * request would be counted if the service hangs.
     */
    function sendWhenDue(request: string): void {
      const waitMs = dueAt - sentAt;
      if (waitMs <= 0) {
        sentAt = dueAt;
        opened.send(request);
      } else {
        setTimeout(() => {
          sentAt = performance.now();
          opened.send(request);
        }, waitMs);
      }
      dueAt += everyMs;
    }

    const sendNext = (): boolean => {
      sentAt = performance.now();
      if (sentAt >= end) return false;
      if (sentAt >= begin && !before) {
        before = usedCpu();
        sentAt = performance.now();
      }
      if (work.kind === "requests") {
        connection.send(fixedRequests[round++ % fixedRequests.length] ?? "");
        return true;
      }
      if (said >= 0 && said < replyTails.length) {
        connection.send(`POST /api/v1/sessions/${sessionId}${replyTails[said]}`);
        return true;
      }
      if (work.kind === "steps") {
        const next = startedBefore.pop();
        if (next === undefined) return false;
        sessionId = next;
        said = 0;
        connection.send(`POST /api/v1/sessions/${sessionId}${replyTails[said]}`);
        return true;
      }
      said = -1;
      connection.send(startRequest);
      return true;
    };

    if (!sendNext()) return undefined;
    return (status, body) => {
      const now = performance.now();
      const isStart = said < 0 && work.kind !== "requests";
      if (sentAt >= begin && now <= end) (isStart ? starts : steps).push(now - sentAt);
      if (status !== 200) failures++;
      if (isStart && work.kind !== "starts") sessionId = sessionIdIn(body);
      if (work.kind !== "starts") said++;
      return sendNext();
    };
  });
}

/**
 * Opens a connection, passes each response to the callback, and closes the connection when there is no further request.
 */
async function talk(first: (connection: Connection) => Talk | undefined): Promise<void> {
  const done = Promise.withResolvers<void>();
  let goOn: Talk | undefined;
  const connection = await openConnection({ host, port }, (status, body) => {
    if (!goOn?.(status, body)) done.resolve();
  });
  goOn = first(connection);
  if (goOn) await done.promise;
  connection.close();
}

/** Returns the session id from the response to a start: 26 characters after the key. */
function sessionIdIn(body: Buffer): string {
  const key = body.indexOf('"sessionId":"');
  if (key < 0) throw new Error(`A start failed: ${body.toString("utf8", 0, 500)}`);
  return body.toString("latin1", key + 13, key + 39);
}

function usedCpu() {
  const own = process.cpuUsage();
  return {
    service: order.servicePids.reduce((sum, pid) => sum + cpuMs(pid, { withChildren: false }), 0),
    database: cpuMs(order.databasePid, { withChildren: true }),
    generator: (own.user + own.system) / 1000,
  };
}
