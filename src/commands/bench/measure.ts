import { cpus, totalmem } from "node:os";
import { version } from "../../../package.json";
import { readConfig, StartError } from "../../config.ts";
import { connect } from "../../platform/database/sql.ts";
import { cpuMs } from "../../platform/processes/processor-time.ts";
import { planProcesses, thisMachine } from "../../platform/processes/shares.ts";
import type { Environment } from "../command.ts";
import { holdConversations } from "./conversations.ts";
import { createFixedFloor } from "./floor.ts";
import { askQuestions, fiveReplies } from "./flow.ts";
import { dropFloorTable, readServer } from "./leftovers.sql.ts";
import { spreadOf } from "./numbers.ts";
import { makeFolder, openThrowAway, publishFlow, startMeasured } from "./surroundings.ts";

type BenchOptions = {
  readonly concurrencies: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  /** Called with the name of the next part of the run. */
  onProgress(what: string): void;
  /** Aborting this signal ends the run early. Everything that the run created is then removed. */
  readonly signal: AbortSignal;
};

/** The measured throughput at each concurrency, with the database's baseline rate from the same rounds. */
export type BenchReport = Awaited<ReturnType<typeof measure>>;
export type BenchLine = BenchReport["lines"][number];

const warmUpSeconds = 0.3;
/** Connections for the queue, the watches and the job board, in addition to those of the service and the floor. */
const spareConnections = 40;

/** Measures this machine and its database. Creates a database that exists only during the run. */
export async function measure(environment: Environment, options: BenchOptions) {
  const config = readConfig(environment);
  const { concurrencies, seconds, rounds, signal, onProgress } = options;
  const { connections, processes } = planProcesses(config, thisMachine());
  await using ends = new AsyncDisposableStack();
  onProgress("creating a database");
  const folders = await makeFolder(config, ends);
  const database = await openThrowAway(config, { folders, connections: 2 * connections + spareConnections, ends });
  signal.throwIfAborted();
  onProgress("starting the service");
  const service = await startMeasured(environment, { databaseUrl: database.url, folders, ends, signal });
  const sql = connect(database.url, { connections });
  ends.defer(() => sql.end());
  const publicId = await publishFlow(service, askQuestions());
  const measureFloor = createFixedFloor(sql, database.pid);
  const used = () => ({
    service: service.pids().reduce((sum, pid) => sum + cpuMs(pid, { withChildren: false }), 0),
    database: cpuMs(database.pid, { withChildren: true }),
    visitors: ownCpuMs(),
  });

  const measureRound = async (concurrency: number) => {
    const floor = await measureFloor({ concurrency, seconds, warmUpSeconds, signal });
    signal.throwIfAborted();
    let before = used();
    const talks = await holdConversations({
      ...service,
      publicId,
      replies: fiveReplies,
      concurrency,
      seconds,
      warmUpSeconds,
      signal,
      onBegin() {
        before = used();
      },
    });
    const after = used();
    signal.throwIfAborted();
    if (talks.failures > 0) {
      throw new StartError(`${talks.failures} requests failed, the first with ${talks.firstFailure}`);
    }
    const perStep = (kind: keyof typeof after) => (1_000 * (after[kind] - before[kind])) / talks.steps.count;
    return {
      floor,
      talks,
      cpu: { service: perStep("service"), database: perStep("database"), visitors: perStep("visitors") },
    };
  };

  const measured = new Map<number, Awaited<ReturnType<typeof measureRound>>[]>();
  for (let round = 1; round <= rounds; round++) {
    for (const concurrency of concurrencies) {
      onProgress(`${concurrency} at once, round ${round} of ${rounds}`);
      const list = measured.get(concurrency) ?? [];
      measured.set(concurrency, [...list, await measureRound(concurrency)]);
    }
  }
  const server = await readServer(sql);
  await dropFloorTable(sql);
  const lines = [...measured].map(([concurrency, list]) => {
    const middle = list.toSorted((a, b) => a.talks.perSecond - b.talks.perSecond)[Math.floor(list.length / 2)];
    if (!middle) throw new Error("Nothing was measured");
    const { cpu } = middle;
    return {
      concurrency,
      stepsPerSecond: spreadOf(list.map(({ talks }) => talks.perSecond)),
      floorPerSecond: spreadOf(list.map(({ floor }) => floor.perSecond)),
      // The ratio of the steps' rate to the floor's rate in the same round.
      ratio: spreadOf(list.map(({ talks, floor }) => talks.perSecond / floor.perSecond)),
      // The latencies of the median round.
      latencyMs: middle.talks.steps,
      floorLatencyMs: middle.floor.latencies,
      // The processor time per step; null if the system does not report it.
      cpuMicroseconds: { service: cpu.service || null, database: cpu.database || null, visitors: cpu.visitors },
    };
  });
  const [processor] = cpus();
  return {
    parley: version,
    machine: {
      cores: cpus().length,
      model: processor?.model.trim() ?? "unknown",
      memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    },
    database: { ...server, isEmbedded: database.isEmbedded, connections },
    processes,
    seconds,
    rounds,
    lines,
  };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
