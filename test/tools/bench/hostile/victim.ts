import { openConnection } from "../../../../src/commands/bench/connection.ts";
import type { Latencies } from "../numbers.ts";
import { summarise } from "../numbers.ts";

/**
 * The configuration of visitors who chat at their own pace in a separate process. It is sent as JSON to the standard
 * input.
 */
export type VictimOrder = {
  readonly host: string;
  readonly port: number;
  readonly publicId: string;
  /** The replies, and the expected content of each answer. */
  readonly talk: readonly { readonly message: string; readonly answer: string }[];
  readonly visitors: number;
  /** The time between an answer and the next reply. */
  readonly thinkMs: number;
  readonly warmUpMs: number;
  readonly seconds: number;
};

export type VictimReport = {
  /** The times from sending a start or a reply until its answer has arrived. */
  readonly answers: Latencies;
  readonly failures: number;
};

const order: VictimOrder = JSON.parse(await Bun.stdin.text());
const waits: number[] = [];
let failures = 0;
let conversations = 0;

const begin = performance.now() + order.warmUpMs;
const end = begin + order.seconds * 1_000;
await Promise.all(Array.from({ length: order.visitors }, visit));
process.stdout.write(JSON.stringify({ answers: summarise(waits), failures } satisfies VictimReport));
process.exit(0);

/** Runs conversations sequentially, each from another address. */
async function visit(_: unknown, visitor: number): Promise<void> {
  let answered: (answer: { status: number; text: string }) => void = () => {};
  const connection = await openConnection(order, (status, body) => answered({ status, text: body.toString() }));
  const ask = (request: string) => {
    const answer = new Promise<{ status: number; text: string }>((resolve) => {
      answered = resolve;
    });
    connection.send(request);
    return answer;
  };
  await Bun.sleep((order.thinkMs * visitor) / order.visitors);
  while (performance.now() < end) await converse(ask);
  connection.close();
}

async function converse(ask: (request: string) => Promise<{ status: number; text: string }>): Promise<void> {
  const address = `203.0.113.${(conversations++ % 250) + 1}`;
  const say = async (path: string, body: object, expected: string): Promise<string | undefined> => {
    await Bun.sleep(order.thinkMs);
    const sentAt = performance.now();
    if (sentAt >= end) return undefined;
    const { status, text } = await ask(requestOf(path, address, JSON.stringify(body)));
    const isRight = status === 200 && text.includes(expected);
    const answeredAt = performance.now();
    // Requests that were sent before the measurement are included, so that visitors who wait for a long time are
    // counted.
    if (answeredAt >= begin) waits.push(answeredAt - sentAt);
    if (answeredAt >= begin && !isRight) failures++;
    return isRight ? text : undefined;
  };
  const started = await say(`/api/v1/bots/${order.publicId}/startChat`, {}, '"sessionId"');
  if (started === undefined) return;
  const { sessionId } = JSON.parse(started);
  for (const { message, answer } of order.talk) {
    if ((await say(`/api/v1/sessions/${sessionId}/continueChat`, { message }, answer)) === undefined) return;
  }
}

function requestOf(path: string, address: string, body: string): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${order.host}:${order.port}`,
    `X-Forwarded-For: ${address}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
