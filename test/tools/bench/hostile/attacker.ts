import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";

/**
 * The configuration of an attacker, which runs as a separate process until SIGTERM. It is sent as JSON to the standard
 * input.
 */
export type AttackOrder = {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** Each connection sends the requests of one line in rotation. */
  readonly lines: readonly AttackLine[];
  /** A server that flows call, with this kind of response. */
  readonly target?: { readonly port: number; readonly answers: TargetKind };
};

export type AttackLine = {
  /** Requests as text. `{address}` is replaced by a different address each time. */
  readonly requests: readonly string[];
  /** After the first request, sends one more byte per interval in milliseconds, so that the request never ends. */
  readonly drips?: { readonly everyMs: number };
};

/**
 * `never`: accepts the connection and stays silent. `long`: sends the maximum length. `late`: responds after a second.
 */
export type TargetKind = "never" | "long" | "late";

export type AttackReport = {
  readonly statuses: Readonly<Record<string, number>>;
  /** The number of requests to the target server. */
  readonly called: number;
};

const longBytes = 9_400_000;
const lateMs = 1_000;

const order: AttackOrder = JSON.parse(await Bun.stdin.text());
const statuses = new Map<string, number>();
let called = 0;
let sent = 0;

if (order.target) await listen(order.target);
process.on("SIGTERM", () => {
  process.stdout.write(JSON.stringify({ statuses: Object.fromEntries(statuses), called } satisfies AttackReport));
  process.exit(0);
});
for (let index = 0; index < order.connections; index++) attack(order.lines[index % order.lines.length]);
process.stdout.write("\n");

function attack(line: AttackLine | undefined): void {
  if (!line) return;
  const socket = connect(order.port, order.host);
  let turn = 0;
  let received = Buffer.alloc(0);
  const next = (): void => {
    const request = line.requests[turn++ % line.requests.length] ?? "";
    sent++;
    const text = request.replaceAll("{address}", `198.51.${100 + (sent % 100)}.${(sent >> 7) % 250}`);
    socket.write(text);
  };
  let drip: ReturnType<typeof setInterval> | undefined;
  socket.on("connect", () => {
    next();
    if (line.drips) drip = setInterval(() => socket.write("x"), line.drips.everyMs);
  });
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, Buffer.from(chunk)]);
    for (let end = endOfAnswer(received); end > 0; end = endOfAnswer(received)) {
      count(received.toString("latin1", 9, 12));
      received = received.subarray(end);
      if (!line.drips) next();
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearInterval(drip);
    // The attacker reconnects, but not faster than the machine can handle, because the benchmark measures the service
    // and not the machine.
    setTimeout(attack, 100, line);
  });
}

function count(status: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

function endOfAnswer(bytes: Buffer): number {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return 0;
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? "0";
  const end = head + 4 + Number(length);
  return bytes.length >= end ? end : 0;
}

async function listen({ port, answers }: { port: number; answers: TargetKind }): Promise<void> {
  const long = JSON.stringify({ text: "a".repeat(longBytes) });
  const kinds: Record<TargetKind, (response: ServerResponse) => void> = {
    never: () => {},
    long: (response) => response.writeHead(200, { "Content-Type": "application/json" }).end(long),
    late: (response) => void setTimeout(() => response.end("{}"), lateMs),
  };
  const server = createServer((request, response) => {
    called++;
    request.resume();
    kinds[answers](response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
}
