import { type Bench, inTurns, withEach } from "../bench.ts";
import { askQuestions, askWithBlocks, fiveReplies, script } from "../flows.ts";
import type { LoadReport, Work } from "../load.ts";
import { printTable, rates, ratios } from "../print.ts";

const concurrency = 32;

/** The variants: small steps inline, compared with all steps on pools with increasing numbers of threads. */
const tiers = [
  { name: "small steps inline (the default)", settings: {} },
  { name: "all on 1 thread", settings: { INLINE_STEPS: "off", WORKER_THREADS: "1" } },
  { name: "all on 2 threads", settings: { INLINE_STEPS: "off", WORKER_THREADS: "2" } },
  { name: "all on 4 threads", settings: { INLINE_STEPS: "off", WORKER_THREADS: "4" } },
] as const;

/**
 * Measures the cost of a message to a thread and the benefit of another thread, for steps with only questions and for
 * steps with a script.
 */
export async function measureTiers(bench: Bench): Promise<void> {
  await withEach(
    bench,
    tiers.map(({ settings }) => settings),
    async (benches) => {
      for (const [name, flow] of [
        ["questions", askQuestions()],
        ["a script a step", askWithBlocks(script)],
      ] as const) {
        const measures = await Promise.all(benches.map((opened) => prepare(opened, flow)));
        report(bench, name, await inTurns(bench.pace.rounds, measures));
      }
    },
  );
}

async function prepare(bench: Bench, flow: object): Promise<() => Promise<LoadReport>> {
  const { publicId } = await bench.publish(flow);
  const work: Work = { kind: "steps", publicId, replies: fiveReplies };
  await bench.load(work, { concurrency, seconds: 1 });
  return async () => {
    const measured = await bench.load(work, { concurrency });
    if (measured.failures > 0) throw new Error(`${measured.failures} requests failed.`);
    return measured;
  };
}

function report(bench: Bench, flow: string, measured: readonly (readonly LoadReport[])[]): void {
  const row = (name: string, text: (rounds: readonly LoadReport[]) => string) => [name, ...measured.map(text)];
  const microsOf = (rounds: readonly LoadReport[]) =>
    rounds.map(({ steps, cpuMs }) => (1_000 * cpuMs.service) / steps.count);
  printTable(
    [`${flow}, ${concurrency} concurrent`, ...tiers.map(({ name }) => name)],
    [
      row("continueChat/s", (rounds) => rates(rounds.map(({ steps, seconds }) => steps.count / seconds))),
      row("p50 ms", (rounds) => ratios(rounds.map(({ steps }) => steps.p50))),
      row("p99 ms", (rounds) => ratios(rounds.map(({ steps }) => steps.p99))),
      row("processor time of the service a step, µs", (rounds) => rates(microsOf(rounds))),
    ],
  );
  for (const [index, rounds] of measured.entries()) {
    bench.figures.cost(`tiers, ${flow}: ${tiers[index]?.name}, service`, "µs", microsOf(rounds));
  }
}
