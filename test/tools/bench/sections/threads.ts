import { availableParallelism } from "node:os";
import { createThreads, type Threads } from "../../../../src/chat/threads/threads.ts";
import { type Bench, inTurns } from "../bench.ts";
import type { FloorOrder } from "../floors.ts";
import { askQuestions } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { printTable, rates } from "../print.ts";

/**
 * Measures the minimum costs of the service itself: HTTP without work, a message to a thread and back, and the
 * computation of a step on a thread.
 */
export async function measureThreads(bench: Bench): Promise<void> {
  const threads = createThreads({ count: availableParallelism() });
  try {
    const think = await thinker(threads);
    const { pace, floors } = bench;
    const rows: (string | number)[][] = [];
    for (const concurrency of pace.concurrencies.filter((count) => pace.isLong || count === 1 || count === 32)) {
      const order: FloorOrder = { concurrency, seconds: pace.seconds, warmUpSeconds: pace.warmUpSeconds };
      const empty = { kind: "requests", lines: ["GET /api/healthz"], headers: "" } as const;
      const [rounds = []] = await inTurns(pace.rounds, [
        async () => ({
          http: await bench.load(empty, { concurrency }),
          hop: await floors.measure(order, () => threads.ready()),
          thought: await floors.measure(order, think),
        }),
      ]);
      const micros = (which: "hop" | "thought") =>
        rounds.map((round) => (1_000 * round[which].cpuMs.client) / round[which].latencies.count);
      bench.figures.cost(
        `threads, ${concurrency} concurrent: empty request`,
        "µs",
        rounds.map(({ http }) => microsOf(http)),
      );
      bench.figures.cost(`threads, ${concurrency} concurrent: hop`, "µs", micros("hop"));
      bench.figures.cost(`threads, ${concurrency} concurrent: step on a thread`, "µs", micros("thought"));
      rows.push([
        concurrency,
        rates(rounds.map(({ http }) => http.steps.count / http.seconds)),
        median(rounds.map(({ http }) => http.steps.p50)).toFixed(2),
        rates(rounds.map(({ http }) => microsOf(http))),
        ...(["hop", "thought"] as const).flatMap((which) => [
          rates(rounds.map((round) => round[which].perSecond)),
          median(rounds.map((round) => round[which].latencies.p50)).toFixed(2),
          rates(micros(which)),
        ]),
      ]);
    }
    const head = ["empty request/s", "thread hop/s", "step on a thread/s"];
    printTable(["concurrent", ...head.flatMap((name) => [name, "p50 ms", "processor µs"])], rows);
  } finally {
    await threads.close();
  }
}

function microsOf({ steps, cpuMs }: LoadReport): number {
  return (1_000 * cpuMs.service) / steps.count;
}

/** Returns a function that computes the second reply of a chat of five questions. */
async function thinker(threads: Threads): Promise<() => Promise<unknown>> {
  const flow = JSON.stringify(askQuestions());
  const loadFlow = async () => flow;
  const step = {
    program: { key: "benchmark", botId: "0".repeat(26) },
    programs: [],
    context: { now: Date.now(), seed: "0".repeat(32), isLive: true, contentFormat: "richText" },
  } as const;
  const first = await threads.advance(
    {
      ...step,
      input: {
        kind: "start",
        resultId: "0".repeat(26),
        isStreamEnabled: false,
        isOnlyRegistering: false,
        reply: null,
        options: {},
      },
    },
    { loadFlow },
  );
  const reply = async (state: string) => {
    const answer = await threads.advance(
      { ...step, input: { kind: "reply", state, reply: { type: "text", text: "Ada Lovelace" } } },
      { loadFlow },
    );
    if (answer.kind !== "stepped") throw new Error(`A step was expected, not ${answer.kind}.`);
    return answer.step;
  };
  if (first.kind !== "stepped") throw new Error(`A start was expected, not ${first.kind}.`);
  const second = await reply(first.step.state);
  return () => reply(second.state);
}
