import { threadsOf } from "../../../../src/platform/processes/processor-time.ts";
import { type Bench, inTurns, type Pace, withEach } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport, Work } from "../load.ts";
import { print, printTable, rates } from "../print.ts";

type Round = {
  readonly talk: LoadReport;
  /** The memory of the serving processes, and of the supervisor if there is one. */
  readonly servingMegabytes: readonly number[];
  readonly supervisorMegabytes: number | undefined;
  readonly threads: number;
  readonly connections: number;
  readonly walBytes: number;
};

/**
 * The warm-up time per process. A process compiles its code according to its share of the steps. After a warm-up of one
 * second in total, rounds of 2 s measured two processes at 0.72 of one process. After this time, the ratio is 0.87.
 */
const warmUpSeconds = 3;

/**
 * Measures conversations of five questions with 1, 2, 4 … processes on one port, alternately, each with a separate
 * database. If the machine has too few cores, the cores limit the rates. The processor time of a step then shows the
 * effect of more cores.
 */
export async function measureProcesses(bench: Bench): Promise<void> {
  const settings = bench.pace.processes.map((count) => ({ PROCESSES: String(count) }));
  await withEach(bench, settings, async (benches) => {
    const measures: ((concurrency: number) => Promise<Round>)[] = [];
    // The services are prepared sequentially, so that each service compiles its code while no other service uses the
    // machine.
    for (const [index, opened] of benches.entries())
      measures.push(await prepare(opened, warmUpSeconds * (bench.pace.processes[index] ?? 1)));
    // With fewer visitors, there is no work to distribute.
    for (const concurrency of bench.pace.concurrencies.filter((count) => count >= 32)) {
      const rounds = measures.map((measure) => () => measure(concurrency));
      report(bench, concurrency, await inTurns(bench.pace.rounds, rounds));
    }
  });
}

function report(bench: Bench, concurrency: number, measured: readonly (readonly Round[])[]): void {
  const counts = bench.pace.processes;
  const row = (name: string, text: (rounds: readonly Round[]) => string) => [name, ...measured.map(text)];
  const perStep = (who: keyof LoadReport["cpuMs"]) => (rounds: readonly Round[]) =>
    rates(rounds.map(({ talk }) => (1_000 * talk.cpuMs[who]) / talk.steps.count));
  printTable(
    [`${concurrency} concurrent`, ...counts.map((count) => `${count} ${count === 1 ? "process" : "processes"}`)],
    [
      row("continueChat/s in conversations", (rounds) =>
        rates(rounds.map(({ talk }) => talk.steps.count / talk.seconds)),
      ),
      row("p50 ms", (rounds) => rates(rounds.map(({ talk }) => talk.steps.p50))),
      row("p99 ms", (rounds) => rates(rounds.map(({ talk }) => talk.steps.p99))),
      row("processor time a step, µs: service", perStep("service")),
      row("database", perStep("database")),
      row("bytes of WAL a step, its fifth of a start included", (rounds) =>
        rates(rounds.map(({ talk, walBytes }) => (walBytes / talk.steps.count) * warmUpShare(bench.pace, talk))),
      ),
      row("MB resident: each serving process", (rounds) => rates(rounds.flatMap((round) => round.servingMegabytes))),
      row("the supervisor", (rounds) => {
        const megabytes = rounds.flatMap((round) => round.supervisorMegabytes ?? []);
        return megabytes.length === 0 ? "" : rates(megabytes);
      }),
      row("threads of all", (rounds) => rates(rounds.map(({ threads }) => threads))),
      row("connections of all", (rounds) => rates(rounds.map(({ connections }) => connections))),
    ],
  );
  for (const [index, rounds] of measured.entries()) {
    const name = `processes, ${counts[index]} of them, ${concurrency} concurrent`;
    for (const who of ["service", "database"] as const) {
      bench.figures.cost(
        `${name}: ${who}`,
        "µs",
        rounds.map(({ talk }) => (1_000 * talk.cpuMs[who]) / talk.steps.count),
      );
    }
  }
  print("\nThreads are Bun's own, too.");
}

async function prepare(bench: Bench, seconds: number): Promise<(concurrency: number) => Promise<Round>> {
  const { publicId } = await bench.publish(askQuestions());
  const work: Work = { kind: "conversations", publicId, replies: fiveReplies };
  await bench.load(work, { concurrency: 32, seconds });
  const { service, floors } = bench;
  return async (concurrency) => {
    const walBefore = await walPosition(bench);
    const talk = await bench.load(work, { concurrency });
    if (talk.failures > 0) throw new Error(`${talk.failures} requests failed.`);
    const [first = 0, ...others] = service.pids();
    const isAlone = others.length === 0;
    const serving = isAlone ? [first] : others;
    const [row] = await floors.sql<[{ count: number }]>`
      select count(*)::int as count
      from pg_stat_activity
      where datname = current_database() and application_name like 'parley%' and pid <> pg_backend_pid()`;
    return {
      talk,
      servingMegabytes: await Promise.all(serving.map((pid) => service.residentMegabytes(pid))),
      supervisorMegabytes: isAlone ? undefined : await service.residentMegabytes(first),
      threads: service.pids().reduce((sum, pid) => sum + threadsOf(pid), 0),
      connections: row.count,
      walBytes: (await walPosition(bench)) - walBefore,
    };
  };
}

/** Returns the database's position in its log, in bytes. */
async function walPosition({ floors }: Bench): Promise<number> {
  const [row] = await floors.sql<[{ bytes: number }]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`;
  return row.bytes;
}

/**
 * Returns the share of the measured time in the whole time. The steps of the warm-up are not counted, but their log is.
 */
function warmUpShare({ warmUpSeconds }: Pace, { seconds }: LoadReport): number {
  return seconds / (seconds + warmUpSeconds);
}
