import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import type { Arrival } from "./event-ledger.ts";

export type ReceiverRules = {
  /** The signing secret of the receiver's endpoint. */
  readonly secret: string;
  readonly delayMs: number;
  /** The input blocks of the flow in the order in which chats reach them. */
  readonly blockIds: readonly string[];
};

/** The counts of a receiver since its rules were set. Lags and connections are counted since the last report. */
export type ReceiverReport = {
  readonly requests: number;
  readonly events: number;
  readonly repeats: number;
  /** The number of requests without a valid signature. */
  readonly unverified: number;
  readonly mostAtOnce: number;
  readonly connections: number;
  /** The times from an event's creation to its first arrival. */
  readonly lagsMs: readonly number[];
  /** The number of violations of order or content, and messages for the first violations. */
  readonly problemCount: number;
  readonly problems: readonly string[];
};

/** A receiver of events in a separate process, which verifies, counts and answers the events. */
export type EventReceiver = {
  /** The URL of the receiver, for services whose calls may reach the loopback address (`outsideFetch`). */
  readonly url: string;
  begin(rules: ReceiverRules): Promise<void>;
  report(): Promise<ReceiverReport>;
  /** Returns the number of distinct events so far. */
  count(): Promise<number>;
  /** Creates a valid request without a chat, for tests that call the receiver directly. */
  bareRequest(secret: string): { url: string; headers: Record<string, string>; body: string };
  /** Returns the senders' ports of all unanswered requests. */
  portsUnderWay(): Promise<number[]>;
  chats(): Promise<ReadonlyMap<string, readonly Arrival[]>>;
  close(): Promise<void>;
};

export async function startEventReceiver(): Promise<EventReceiver> {
  const program = Bun.spawn([process.execPath, join(import.meta.dir, "event-receiver-program.ts")], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const port = await firstLine(program.stdout);
  const here = `http://127.0.0.1:${port}`;
  return {
    url: `http://receiver.example:${port}/`,
    async begin(rules) {
      await fetch(`${here}/rules`, { method: "POST", body: JSON.stringify(rules) });
    },
    report: async () => (await fetch(`${here}/report`)).json(),
    count: async () => Number(await (await fetch(`${here}/count`)).text()),
    bareRequest(secret) {
      const now = new Date();
      const body = JSON.stringify({ type: "ping", timestamp: now.toISOString(), data: { filler: "x".repeat(400) } });
      const headers = {
        "webhook-id": "bare",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
        "webhook-signature": new Webhook(secret).sign("bare", now, body),
      };
      return { url: here, headers, body };
    },
    portsUnderWay: async () => (await fetch(`${here}/under-way`)).json(),
    async chats() {
      const chats: Record<string, Arrival[]> = await (await fetch(`${here}/chats`)).json();
      return new Map(Object.entries(chats));
    },
    async close() {
      program.kill("SIGKILL");
      await program.exited;
    },
  };
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let printed = "";
  for await (const chunk of output) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.includes("\n")) return printed.trim();
  }
  throw new Error("The receiver ended before it listened");
}
