import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { cpuMs } from "../../../src/platform/processes/processor-time.ts";
import type { Figures } from "./figures.ts";
import { type Floors, openFloors } from "./floors.ts";
import type { LoadOrder, LoadReport, Work } from "./load.ts";
import { type BenchedService, benchToken, type Settings, startService } from "./service.ts";

/** The durations and repetitions of measurements. */
export type Pace = {
  readonly isLong: boolean;
  /** The durations of a measurement and of its warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /**
   * The number of rounds. Compared variants are measured alternately, so that other work of the machine affects all
   * variants equally.
   */
  readonly rounds: number;
  /**
   * The number of rounds per attack. There are many attacks, so a short run of several sections measures each attack
   * once.
   */
  readonly hostileRounds: number;
  readonly hostileSeconds: number;
  /** Only attacks whose names contain this text are run. */
  readonly attack: string;
  readonly minutes: number;
  readonly rows: number;
  /** The numbers of concurrent visitors, for sections that measure several numbers. */
  readonly concurrencies: readonly number[];
  /** The numbers of serving processes, for sections that measure several numbers. */
  readonly processes: readonly number[];
  /** The response times of event receivers. */
  readonly receiverDelaysMs: readonly number[];
  /** The number of events that chats cause per second, if the rate is fixed. */
  readonly eventsPerSecond: number;
  /**
   * The library with which the builder's canvas is compared: React Flow, rendering only the visible part or everything.
   */
  readonly beside?: "react-flow" | "react-flow-all";
};

type LoadOptions = {
  readonly concurrency: number;
  readonly seconds?: number;
  readonly warmUpSeconds?: number;
  /** The total requests of all visitors per second. By default, the rate is not limited. */
  readonly perSecond?: number;
};

/** A database with a service that a section measures. */
export type Bench = {
  readonly pace: Pace;
  readonly server: BenchServer;
  readonly databaseUrl: string;
  readonly service: BenchedService;
  readonly floors: Floors;
  /** Collects the numbers that are compared with the baseline. */
  readonly figures: Figures;
  /** Publishes a flow as a new bot in a new workspace. */
  publish(flow: object): Promise<{ readonly botId: string; readonly publicId: string; readonly workspaceId: string }>;
  load(work: Work, options: LoadOptions): Promise<LoadReport>;
  /** Runs the work with another temporary database on the same server, and a service on this database. */
  withAnother<Result>(name: string, work: (bench: Bench) => Promise<Result>, settings?: Settings): Promise<Result>;
  startNode(): Promise<BenchedService>;
  /** Returns the milliseconds of processor time that the database has used, or 0 if the system does not report it. */
  databaseCpuMs(): number;
  close(): Promise<void>;
};

/** The database server of all measurements. `pid` is 0 if the server is not on this machine. */
export type BenchServer = {
  readonly url: string;
  readonly pid: number;
  /**
   * Calls the listener with each line that the database logs, until the returned function is called. Absent for an
   * external server.
   */
  readonly onLine?: (listener: (line: string) => void) => () => void;
};

export const connections = 16;

const Named = Type.Object({ id: Type.String() });

/** Starts a service on the database, and the tools that measure it. */
export async function openBench(
  server: BenchServer,
  pace: Pace,
  figures: Figures,
  settings: Settings = {},
): Promise<Bench> {
  const service = await startService({ databaseUrl: server.url, connections, settings });
  const floors = openFloors(server, connections);
  return {
    pace,
    server,
    databaseUrl: server.url,
    service,
    floors,
    figures,
    async publish(flow) {
      const workspace = await service.post(
        "/api/v1/workspaces",
        { name: "Benchmarks" },
        Type.Object({ workspace: Named }),
      );
      const body = { workspaceId: workspace.workspace.id, bot: flow };
      const { bot } = await service.post("/api/v1/bots", body, Type.Object({ bot: Named }));
      const published = Type.Object({ publicId: Type.String() });
      const { publicId } = await service.post(`/api/v1/bots/${bot.id}/publish`, { force: true }, published);
      return { botId: bot.id, publicId, workspaceId: workspace.workspace.id };
    },
    load(work, { concurrency, seconds = pace.seconds, warmUpSeconds = pace.warmUpSeconds, perSecond }) {
      return load({
        host: "127.0.0.1",
        port: service.port,
        servicePids: service.pids(),
        databasePid: server.pid,
        concurrency,
        seconds,
        warmUpSeconds,
        work,
        ...(perSecond !== undefined && { perSecond }),
      });
    },
    async withAnother(name, work, settingsOfAnother) {
      await floors.sql.unsafe(`create database ${name}`);
      const another = await openBench(
        { ...server, url: inDatabase(server.url, name) },
        pace,
        figures,
        settingsOfAnother,
      );
      try {
        return await work(another);
      } finally {
        await another.close();
        await floors.sql.unsafe(`drop database ${name} with (force)`);
      }
    },
    startNode: () => startService({ databaseUrl: server.url, connections, settings }),
    databaseCpuMs: () => cpuMs(server.pid, { withChildren: true }),
    async close() {
      await service.stop();
      await floors.close();
    },
  };
}

/**
 * Starts a service for each of the settings, each with a separate database. All services run simultaneously, so that
 * they can be measured alternately.
 */
export async function withEach<Result>(
  bench: Bench,
  [settings, ...others]: readonly Settings[],
  work: (benches: readonly Bench[]) => Promise<Result>,
  opened: readonly Bench[] = [],
): Promise<Result> {
  if (settings === undefined) return await work(opened);
  return await bench.withAnother(
    `parley_bench_${opened.length}`,
    (another) => withEach(bench, others, work, [...opened, another]),
    settings,
  );
}

/** Returns the URL of another database on the same server. */
export function inDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** The header with which requests of the load generator can access the management API. */
export const authorisation = `Authorization: Bearer ${benchToken}\r\n`;

async function load(order: LoadOrder): Promise<LoadReport> {
  const generator = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts"), JSON.stringify(order)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const report = await generator.stdout.text();
  if ((await generator.exited) !== 0) throw new Error("The load generator failed.");
  return JSON.parse(report);
}

/** Runs the measurements alternately for this number of rounds, and returns all results of each measurement. */
export async function inTurns<Measured>(
  rounds: number,
  measures: readonly (() => Promise<Measured>)[],
): Promise<Measured[][]> {
  const found: Measured[][] = measures.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of measures.entries()) found[index]?.push(await measure());
  }
  return found;
}
