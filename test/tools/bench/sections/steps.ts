import { type Bench, inTurns } from "../bench.ts";
import type { Figures } from "../figures.ts";
import type { Floor } from "../floors.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";
import { measureStepsListening } from "./steps-listening.ts";

type Round = {
  readonly fixed: Floor;
  readonly save: Floor;
  readonly talk: LoadReport;
  readonly steps: LoadReport | undefined;
};

/**
 * Measures conversations of five questions over HTTP, compared with only the service's save and with the fixed floor.
 * In `in conversations`, every sixth request is a start; in `alone`, all starts precede the measurement.
 */
export async function measureSteps(bench: Bench): Promise<void> {
  const { publicId } = await bench.publish(askQuestions());
  await bench.load({ kind: "conversations", publicId, replies: fiveReplies }, { concurrency: 32, seconds: 1 });
  const measured = new Map<number, Round[]>();
  for (const concurrency of bench.pace.concurrencies) {
    measured.set(concurrency, await measureRounds(bench, publicId, concurrency));
  }
  printRates(measured);
  printLatencies(measured);
  printCpu(measured);
  await measureStepsListening(bench);
  printTargets(measured);
  noteFigures(bench.figures, measured);
}

function noteFigures(figures: Figures, measured: ReadonlyMap<number, readonly Round[]>): void {
  for (const [concurrency, rounds] of measured) {
    const at = `steps, ${concurrency} concurrent`;
    const alone = rounds.flatMap(({ steps, fixed }) => (steps ? [{ steps, fixed }] : []));
    figures.ratio(
      `${at}: all steps of conversations, of the fixed floor`,
      rounds.map(({ talk, fixed }) => (perSecond(talk) + talk.starts.count / talk.seconds) / fixed.perSecond),
    );
    figures.ratio(
      `${at}: alone, of the fixed floor`,
      alone.map(({ steps, fixed }) => perSecond(steps) / fixed.perSecond),
    );
    for (const who of ["service", "database"] as const) {
      const micros = rounds.map(({ talk }) => microsOfStep(talk, who));
      figures.cost(`${at}: in conversations, ${who}`, "µs", micros);
      figures.cost(
        `${at}: alone, ${who}`,
        "µs",
        alone.map(({ steps }) => microsOfStep(steps, who)),
      );
    }
  }
}

async function measureRounds(bench: Bench, publicId: string, concurrency: number): Promise<Round[]> {
  const { pace, floors } = bench;
  const order = { concurrency, seconds: pace.seconds, warmUpSeconds: pace.warmUpSeconds };
  const replies = fiveReplies;
  // The short run spends its time on figures with a target.
  const isAloneToo = pace.isLong || concurrency === 32;
  const [rounds = []] = await inTurns(pace.rounds, [
    async () => ({
      fixed: await floors.fixed(order),
      save: await floors.save(order),
      talk: sound(await bench.load({ kind: "conversations", publicId, replies }, { concurrency })),
      steps: isAloneToo ? sound(await bench.load({ kind: "steps", publicId, replies }, { concurrency })) : undefined,
    }),
  ]);
  return rounds;
}

function sound(report: LoadReport): LoadReport {
  if (report.failures > 0) throw new Error(`${report.failures} requests failed.`);
  return report;
}

function printRates(measured: ReadonlyMap<number, readonly Round[]>): void {
  const head = [
    "concurrent",
    "continueChat/s in conversations",
    "alone",
    "save alone/s",
    "ratio",
    "alone",
    "fixed floor/s",
  ];
  printTable(
    [...head, "ratio", "alone"],
    [...measured].map(([concurrency, rounds]) => [
      concurrency,
      rates(rounds.map(({ talk }) => perSecond(talk))),
      alone(rounds, ({ steps }) => perSecond(steps), rates),
      rates(rounds.map(({ save }) => save.perSecond)),
      ratios(rounds.map(({ talk, save }) => perSecond(talk) / save.perSecond)),
      alone(rounds, ({ steps, save }) => perSecond(steps) / save.perSecond, ratios),
      rates(rounds.map(({ fixed }) => fixed.perSecond)),
      ratios(rounds.map(({ talk, fixed }) => perSecond(talk) / fixed.perSecond)),
      alone(rounds, ({ steps, fixed }) => perSecond(steps) / fixed.perSecond, ratios),
    ]),
  );
}

function alone(
  rounds: readonly Round[],
  pick: (round: Round & { readonly steps: LoadReport }) => number,
  text: (list: readonly number[]) => string,
): string {
  const list = rounds.flatMap((round) => (round.steps ? [pick({ ...round, steps: round.steps })] : []));
  return list.length === 0 ? "" : text(list);
}

function printLatencies(measured: ReadonlyMap<number, readonly Round[]>): void {
  const names = ["p50", "p95", "p99"] as const;
  const middle = (rounds: readonly Round[], pick: (round: Round) => Floor["latencies"]) =>
    names.map((name) => median(rounds.map((round) => pick(round)[name])).toFixed(2)).join(" / ");
  printTable(
    [
      "p50 / p95 / p99 ms",
      "continueChat in conversations",
      "alone",
      "startChat among them",
      "save alone",
      "fixed floor",
    ],
    [...measured].map(([concurrency, rounds]) => [
      `${concurrency} concurrent`,
      middle(rounds, ({ talk }) => talk.steps),
      rounds.every(({ steps }) => steps) ? middle(rounds, ({ steps, talk }) => (steps ?? talk).steps) : "",
      middle(rounds, ({ talk }) => talk.starts),
      middle(rounds, ({ save }) => save.latencies),
      middle(rounds, ({ fixed }) => fixed.latencies),
    ]),
  );
}

/**
 * Prints processor times, which are far more stable than rates on a busy machine. A step in conversations includes a
 * fifth of the start.
 */
function printCpu(measured: ReadonlyMap<number, readonly Round[]>): void {
  type Row = readonly [name: string, text: (rounds: readonly Round[]) => string];
  const aStepAlone = (who: keyof LoadReport["cpuMs"]): Row[1] => {
    return (rounds) => alone(rounds, ({ steps }) => microsOfStep(steps, who), rates);
  };
  const aStep = (who: keyof LoadReport["cpuMs"]): Row[1] => {
    return (rounds) => rates(rounds.map(({ talk }) => microsOfStep(talk, who)));
  };
  const aFloor = (which: "fixed" | "save", who: keyof Floor["cpuMs"]): Row[1] => {
    return (rounds) => rates(rounds.map((round) => (1_000 * round[which].cpuMs[who]) / round[which].latencies.count));
  };
  const rows: readonly Row[] = [
    ["a step alone: service", aStepAlone("service")],
    ["database", aStepAlone("database")],
    ["load generator", aStepAlone("generator")],
    ["a step in conversations: service", aStep("service")],
    ["database", aStep("database")],
    ["load generator", aStep("generator")],
    ["save alone: database", aFloor("save", "database")],
    ["client", aFloor("save", "client")],
    ["fixed floor: database", aFloor("fixed", "database")],
    ["client", aFloor("fixed", "client")],
  ];
  printTable(
    ["processor time, µs", ...[...measured.keys()].map((concurrency) => `${concurrency} concurrent`)],
    rows.map(([name, text]) => [name, ...[...measured.values()].map(text)]),
  );
}

function microsOfStep({ steps, cpuMs }: LoadReport, who: keyof LoadReport["cpuMs"]): number {
  return (1_000 * cpuMs[who]) / steps.count;
}

function printTargets(measured: ReadonlyMap<number, readonly Round[]>): void {
  const of = (concurrency: number, pick: (round: Round) => number): number | undefined => {
    const rounds = measured.get(concurrency);
    return rounds && median(rounds.map(pick));
  };
  const alone = of(32, ({ talk, steps, fixed }) => perSecond(steps ?? talk) / fixed.perSecond);
  const withStarts = of(
    32,
    ({ talk, fixed }) => (perSecond(talk) + talk.starts.count / talk.seconds) / fixed.perSecond,
  );
  const toFixed = of(32, ({ talk, fixed }) => perSecond(talk) / fixed.perSecond);
  const tail = of(32, ({ talk, fixed }) => talk.steps.p99 / fixed.latencies.p99);
  const at32 = of(32, ({ talk }) => perSecond(talk));
  const at128 = of(128, ({ talk }) => perSecond(talk));
  const above = of(1, ({ talk, fixed }) => talk.steps.p50 - fixed.latencies.p50);
  print("");
  for (const [what, value] of [
    ["continueChat alone", alone],
    ["all steps of conversations, starts among them", withStarts],
    ["continueChat of conversations, starts not counted", toFixed],
  ] as const) {
    if (value !== undefined) printTarget(`at 32, ${what}, of the fixed floor's rate (aim: 0.6)`, { value, least: 0.4 });
  }
  if (at32 !== undefined) printTarget("at 32, steps/s (a quiet machine)", { value: at32, least: 5_500, digits: 0 });
  if (tail !== undefined) printTarget("at 32, p99 in the fixed floor's p99", { value: tail, most: 6 });
  if (at32 !== undefined && at128 !== undefined) {
    printTarget("at 128, of the rate at 32", { value: at128 / at32, least: 0.95 });
  }
  if (above !== undefined) printTarget("alone, p50 above the fixed floor's", { value: above, most: 1.5, unit: " ms" });
}

function perSecond({ steps, seconds }: LoadReport): number {
  return steps.count / seconds;
}
