import { cpuMs } from "../../../../src/platform/processes/processor-time.ts";
import type { EventReceiver, ReceiverReport } from "../../../support/event-receiver.ts";
import type { Bench } from "../bench.ts";
import { fiveReplies } from "../flows.ts";
import { eventsOfChat, type Listened, whileListening } from "../listened.ts";
import { summarise } from "../numbers.ts";
import { print, printTable, printTarget } from "../print.ts";
import type { BenchedService } from "../service.ts";

/** The number of visitors who cause the backlog. */
const concurrency = 32;
/** The maximum number of concurrent deliveries in the bare loop. */
const floorConcurrency = 128;
/** After this time without an arrival, no more events are expected. */
const quietMs = 4_000;
const pollMs = 50;

type Measured = {
  readonly nodes: number;
  readonly delayMs: number;
  /** Deliveries while chats run at the machine's full load. */
  readonly busy: Delivered;
  /** Deliveries of the remaining events after the last chat. */
  readonly drained: Delivered & { readonly serviceMicros: number; readonly databaseMicros: number };
  /** Deliveries while chats cause a fixed number of events per second. */
  readonly paced: Delivered & { readonly caused: number };
  readonly floorPerSecond: number;
  readonly floorMicros: number;
};

type Delivered = { readonly perSecond: number; readonly report: ReceiverReport };

/**
 * Measures the delivery of chat events to a slow receiver, from one node and from two nodes. Chats first run at the
 * machine's full load, then the remaining events are delivered, then chats cause a fixed number of events per second.
 */
export async function measureEvents(bench: Bench): Promise<void> {
  const measured: Measured[] = [];
  for (const nodes of [1, 2]) {
    await bench.withAnother(`parley_bench_events_${nodes}`, async (another) => {
      const second = nodes === 2 ? await another.startNode() : undefined;
      try {
        await warmUp(another);
        for (const delayMs of bench.pace.receiverDelaysMs) measured.push(await measure(another, { second, delayMs }));
      } finally {
        await second?.stop();
      }
    });
  }
  report(bench, measured);
}

async function warmUp(bench: Bench): Promise<void> {
  await whileListening(bench, 0, async ({ publicId, end }) => {
    await bench.load({ kind: "conversations", publicId, replies: fiveReplies }, { concurrency, seconds: 1 });
    await end();
  });
}

type Place = { readonly second: BenchedService | undefined; readonly delayMs: number };

async function measure(bench: Bench, { second, delayMs }: Place): Promise<Measured> {
  const services = second ? [bench.service, second] : [bench.service];
  const backlog = await whileListening(bench, delayMs, async ({ publicId, receiver, end }) => {
    const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
    const busy = await during(receiver, () =>
      bench.load(work, { concurrency, warmUpSeconds: 0 }).then(() => performance.now()),
    );
    const before = cpuOf(bench, services);
    const drained = await during(receiver, () => drain(receiver, bench.pace.seconds));
    const after = cpuOf(bench, services);
    await end();
    const events = drained.report.lagsMs.length;
    const microsOf = (who: "service" | "database") => (1_000 * (after[who] - before[who])) / events;
    return { busy, drained: { ...drained, serviceMicros: microsOf("service"), databaseMicros: microsOf("database") } };
  });
  return await whileListening(bench, delayMs, async (listened) => {
    const paced = await measurePaced(bench, services, listened);
    await listened.end();
    const floor = await hammer(listened, bench.pace.seconds);
    return { nodes: services.length, delayMs, ...backlog, paced, ...floor };
  });
}

function cpuOf(bench: Bench, services: readonly BenchedService[]): { service: number; database: number } {
  const pids = services.flatMap((service) => service.pids());
  return {
    service: pids.reduce((sum, pid) => sum + cpuMs(pid, { withChildren: false }), 0),
    database: bench.databaseCpuMs(),
  };
}

/** Measures the arrivals during `work`, which returns the time when the measurement ended. */
async function during(receiver: EventReceiver, work: () => Promise<number>): Promise<Delivered> {
  await receiver.report();
  const begunAt = performance.now();
  const endedAt = await work();
  const report = await receiver.report();
  return { perSecond: (1_000 * report.lagsMs.length) / Math.max(endedAt - begunAt, 1), report };
}

/** Waits until no more events arrive, up to a time limit. Returns the time of the last arrival. */
async function drain(receiver: EventReceiver, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let [count, lastAt] = [await receiver.count(), performance.now()];
  while (performance.now() < until && performance.now() < lastAt + quietMs) {
    await Bun.sleep(pollMs);
    const next = await receiver.count();
    if (next > count) [count, lastAt] = [next, performance.now()];
  }
  return lastAt;
}

/**
 * Starts chats evenly over time, alternating between the nodes, so that they cause a fixed number of events per second.
 */
async function measurePaced(
  bench: Bench,
  services: readonly BenchedService[],
  { publicId, receiver }: Listened,
): Promise<Measured["paced"]> {
  const { eventsPerSecond, seconds } = bench.pace;
  const chats = Math.round((eventsPerSecond * seconds) / eventsOfChat);
  const caused = chats * eventsOfChat;
  const delivered = await during(receiver, async () => {
    const begunAt = performance.now();
    const talks: Promise<void>[] = [];
    for (let chat = 0; chat < chats; chat++) {
      await Bun.sleep(Math.max(0, begunAt + (1_000 * seconds * chat) / chats - performance.now()));
      talks.push(talk(services[chat % services.length] ?? bench.service, publicId));
    }
    await Promise.all(talks);
    return await drain(receiver, seconds);
  });
  return { ...delivered, caused };
}

async function talk({ url }: BenchedService, publicId: string): Promise<void> {
  const { sessionId } = await post(`${url}/api/v1/bots/${publicId}/startChat`, {});
  for (const message of fiveReplies) await post(`${url}/api/v1/sessions/${sessionId}/continueChat`, { message });
}

async function post(url: string, body: object): Promise<{ sessionId?: string }> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** Measures a bare loop of `fetch` calls that sends events of about the same size to the same receiver. */
async function hammer(
  { receiver, secret }: Listened,
  seconds: number,
): Promise<Pick<Measured, "floorPerSecond" | "floorMicros">> {
  const { url, headers, body } = receiver.bareRequest(secret);
  const until = performance.now() + seconds * 1_000;
  const before = process.cpuUsage();
  const begunAt = performance.now();
  let count = 0;
  const keepAsking = async (): Promise<void> => {
    while (performance.now() < until) {
      await (await fetch(url, { method: "POST", headers, body })).text();
      count++;
    }
  };
  await Promise.all(Array.from({ length: floorConcurrency }, keepAsking));
  const { user, system } = process.cpuUsage(before);
  return { floorPerSecond: (1_000 * count) / (performance.now() - begunAt), floorMicros: (user + system) / count };
}

function report(bench: Bench, measured: readonly Measured[]): void {
  const { eventsPerSecond } = bench.pace;
  const name = ({ nodes, delayMs }: Measured) => `${nodes} ${nodes === 1 ? "node" : "nodes"}, ${delayMs} ms`;
  const lags = ({ report }: Delivered): string => {
    const { p50, p99 } = summarise(report.lagsMs);
    return `${seconds(p50)} / ${seconds(p99)}`;
  };
  printTable(
    [
      "receiver",
      "events/s from a backlog",
      `bare fetch/s, ${floorConcurrency} at once`,
      "ratio",
      "connections",
      "at once",
      "processor time an event, µs: service",
      "database",
      "bare fetch",
      "events/s beside 32 visitors",
    ],
    measured.map((one) => [
      name(one),
      one.drained.perSecond.toFixed(0),
      one.floorPerSecond.toFixed(0),
      (one.drained.perSecond / one.floorPerSecond).toFixed(2),
      one.drained.report.connections,
      one.drained.report.mostAtOnce,
      one.drained.serviceMicros.toFixed(0),
      one.drained.databaseMicros.toFixed(0),
      one.floorMicros.toFixed(0),
      one.busy.perSecond.toFixed(0),
    ]),
  );
  printTable(
    [`chats that cause ${eventsPerSecond} events/s`, "arrived", "lag p50 / p99 s", "beside 32 visitors"],
    measured.map((one) => [
      name(one),
      `${one.paced.report.lagsMs.length} of ${one.paced.caused}`,
      lags(one.paced),
      lags(one.busy),
    ]),
  );
  const all = measured.flatMap(({ busy, drained, paced }) => [busy, drained, paced].map((part) => part.report));
  const wrong = measured.flatMap(({ drained, paced }) => [drained.report, paced.report]);
  print(
    `\n${sum(all.map(({ lagsMs }) => lagsMs.length))} events, ${sum(wrong.map(({ repeats }) => repeats))} repeated, ` +
      `${sum(wrong.map(({ unverified }) => unverified))} with a wrong signature, ${sum(wrong.map(({ problemCount }) => problemCount))} out of order.`,
  );
  for (const problem of wrong.flatMap(({ problems }) => problems).slice(0, 5)) print(`- ${problem}`);
  print("");
  for (const one of measured) {
    const at = `events, ${name(one)}`;
    bench.figures.cost(`${at}: service`, "µs", [one.drained.serviceMicros]);
    bench.figures.cost(`${at}: database`, "µs", [one.drained.databaseMicros]);
    if (one.nodes === 1 && one.delayMs === 20)
      printTarget("from one node to a receiver of 20 ms, events/s", {
        // If delivery keeps up with the visitors, few events remain to be drained.
        value: Math.max(one.busy.perSecond, one.drained.perSecond),
        least: 2_000,
        digits: 0,
      });
    if (one.nodes === 1 && one.delayMs === 200 && eventsPerSecond >= 500)
      printTarget(`to a receiver of 200 ms, of ${eventsPerSecond} events/s that chats cause, arrived`, {
        value: one.paced.report.lagsMs.length / one.paced.caused,
        least: 1,
      });
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0);
}
