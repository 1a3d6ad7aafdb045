import { openConnection } from "./connection.ts";
import { type Latencies, summarise } from "./numbers.ts";

/** What the load generator is told, as JSON in its first argument. It is a process of its own. */
export type LoadOrder = {
  readonly host: string;
  readonly port: number;
  readonly publicId: string;
  readonly concurrency: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** What a visitor says, one reply after the other. */
  readonly replies: readonly string[];
};

/** Milliseconds of every request of one kind, and how long was measured. */
export type LoadReport = {
  readonly seconds: number;
  readonly steps: Latencies;
  readonly starts: Latencies;
  readonly failures: number;
};

const order: LoadOrder = JSON.parse(process.argv[2] ?? "{}");
const steps: number[] = [];
const starts: number[] = [];
let failures = 0;
const begin = performance.now() + order.warmUpSeconds * 1000;
const end = begin + order.seconds * 1000;

await Promise.all(Array.from({ length: order.concurrency }, visit));
const report: LoadReport = { seconds: order.seconds, steps: summarise(steps), starts: summarise(starts), failures };
process.stdout.write(JSON.stringify(report));

/** One visitor after the other on one connection, each talking the flow through. */
async function visit(): Promise<void> {
  const connection = await openConnection(order.host, order.port);
  while (performance.now() < end) {
    const started = await timed(connection.post(`/api/v1/bots/${order.publicId}/startChat`, "{}"), starts);
    const sessionId: unknown = JSON.parse(started.body).sessionId;
    for (const message of order.replies) {
      if (performance.now() >= end) break;
      const answer = await timed(
        connection.post(`/api/v1/sessions/${sessionId}/continueChat`, JSON.stringify({ message })),
        steps,
      );
      if (answer.status !== 200) failures++;
    }
  }
  connection.close();
}

async function timed<T>(request: Promise<T>, into: number[]): Promise<T> {
  const from = performance.now();
  const answer = await request;
  const to = performance.now();
  if (from >= begin && to <= end) into.push(to - from);
  return answer;
}
