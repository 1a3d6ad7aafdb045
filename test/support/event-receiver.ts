import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import type { Arrival } from "./event-ledger.ts";

/** The receiver's answers from now on. */
export type ReceiverRules = {
  /** The secret of its endpoint. */
  readonly secret: string;
  readonly delayMs: number;
  /** The inputs of the flow, in the order in which each chat reaches them. */
  readonly blockIds: readonly string[];
};

/** The counts of a receiver since its rules were given; lags and connections since the last report. */
export type ReceiverReport = {
  readonly requests: number;
  /** Distinct events. */
  readonly events: number;
  readonly repeats: number;
  /** Requests without a valid signature. */
  readonly unverified: number;
  readonly mostAtOnce: number;
  readonly connections: number;
  /** From the event's own time to its first arrival. */
  readonly lagsMs: readonly number[];
  /** Parts that arrived out of order or changed: their number, and the first ones in sentences. */
  readonly problemCount: number;
  readonly problems: readonly string[];
};

/** A receiver of events as a process of its own, which verifies, counts and answers. */
export type EventReceiver = {
  /** The receiver of events, for services whose calls may go to the loopback address (`outsideFetch`). */
  readonly url: string;
  begin(rules: ReceiverRules): Promise<void>;
  report(): Promise<ReceiverReport>;
  /** The number of distinct events so far. */
  count(): Promise<number>;
  /** A valid request without a chat, for a test that calls the receiver directly. */
  bareRequest(secret: string): { url: string; headers: Record<string, string>; body: string };
  /** The senders' ports of the requests that wait for an answer now. */
  portsUnderWay(): Promise<number[]>;
  /** Arrivals by chat. */
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
