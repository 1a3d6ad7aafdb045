import { type Connection, openConnection, requestTail } from "../../../src/commands/bench/connection.ts";
import { cpuMs } from "../../../src/platform/processes/processor-time.ts";
import { type Latencies, summarise } from "./numbers.ts";

/** The options of the load generator, as JSON in its first argument. It is a process of its own. */
export type LoadOrder = {
  readonly host: string;
  readonly port: number;
  readonly concurrency: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly work: Work;
  /** Requests a second of all visitors together; by default as many as are answered. */
  readonly perSecond?: number;
  /** Processes whose processor time is counted during the measurement. */
  readonly servicePids: readonly number[];
  readonly databasePid: number;
};

export type Work =
  /** Visitors who start chats and hold them to the end, one conversation after the other. */
  | { readonly kind: "conversations"; readonly publicId: string; readonly replies: readonly string[] }
  /**
   * Like `conversations`, but all starts come before the measurement, which ends early when no started conversation is
   * left.
   */
  | { readonly kind: "steps"; readonly publicId: string; readonly replies: readonly string[] }
  | { readonly kind: "starts"; readonly publicId: string }
  /** Constant requests, as method and path. */
  | { readonly kind: "requests"; readonly lines: readonly string[]; readonly headers: string };

/** Milliseconds of every request of one kind, the duration of the measurement, and its processor time. */
export type LoadReport = {
  readonly seconds: number;
  /** Steps, or the requests of `requests`. */
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
/** Sessions that wait for their first reply; filled before the measurement if only steps count. */
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

/** The next reply after an answer; false if there is none. */
type Talk = (status: number, body: Buffer) => boolean;

/** One connection's starts until the end of the warm-up. */
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

/** One visitor after the other on one connection. */
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
     * A late request counts from the time at which it was due: otherwise a service that hangs would get, and count,
     * only one.
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

    /** False when there is no further request. */
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

/** Opens a connection, passes each answer to the talk, and closes it when there is no further request. */
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

/** A start's answer has it at the beginning or later: 26 characters after the key. */
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
