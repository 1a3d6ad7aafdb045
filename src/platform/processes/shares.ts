import { availableParallelism, totalmem } from "node:os";
import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";

/** One process' share of the bounds that protect the machine, and of its database connections. */
export const ShareSchema = Type.Object({
  /** Database connections for requests. */
  connections: Type.Integer({ minimum: 1 }),
  threads: Type.Integer({ minimum: 1 }),
  outgoingCalls: Type.Integer({ minimum: 1 }),
  uploadsAtOnce: Type.Integer({ minimum: 1 }),
  formsWithFilesAtOnce: Type.Integer({ minimum: 1 }),
});

export type Share = Static<typeof ShareSchema>;

export type Machine = {
  readonly cores: number;
  readonly memoryBytes: number;
  /** Whether several processes can listen on one port, so that the kernel distributes connections among them. */
  readonly sharesPorts: boolean;
};

/** The operator's settings. */
type Settings = {
  readonly PROCESSES?: number;
  readonly DATABASE_POOL?: number;
  readonly WORKER_THREADS?: number;
};

/** How a node uses its machine. */
export type Plan = {
  readonly processes: number;
  /** The share of each serving process. */
  readonly share: Share;
  /**
   * Connections and outgoing calls of the parts that run once a node; if there is only one process, its share includes
   * them.
   */
  readonly jobs: Pick<Share, "connections" | "outgoingCalls">;
  /** Connections of all processes, without the queue's. */
  readonly connections: number;
  /** A warning for the operator, if there are fewer processes than the settings ask for. */
  readonly note?: string;
};

/** A serving process and its database's backends keep about two cores busy. */
const coresOfProcess = 2;
/** One database takes the writes of all processes: more processes would only wait for it. */
const mostByDefault = 16;
/**
 * A process with its threads under load (280 MB measured), with a margin; half of the memory is left to the database
 * and the system.
 */
const processBytes = 400 * 1024 * 1024;
const aloneConnections = 16;
const connectionsEach = 4;
const jobConnections = 4;

export function thisMachine(): Machine {
  // A container's bound; without a bound the value is 0 or larger than the machine.
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { cores: availableParallelism(), memoryBytes, sharesPorts: process.platform === "linux" };
}

/** One process for every two cores, at most 16, and no more than fit in half of the memory. */
export function defaultProcesses({ cores, memoryBytes }: Machine): number {
  const byMemory = Math.floor(memoryBytes / 2 / processBytes);
  return Math.max(1, Math.min(Math.floor(cores / coresOfProcess), byMemory, mostByDefault));
}

/** The number of processes that serve, and the share of each: at least one of every bound. */
export function planProcesses(settings: Settings, machine: Machine): Plan {
  const wanted = settings.PROCESSES ?? defaultProcesses(machine);
  const processes = machine.sharesPorts ? wanted : 1;
  const threads = settings.WORKER_THREADS ?? machine.cores;
  const connections =
    settings.DATABASE_POOL ??
    (processes === 1 ? aloneConnections : Math.max(aloneConnections, jobConnections + connectionsEach * processes));
  const rest = {
    threads: partOf(threads, processes),
    uploadsAtOnce: partOf(limits.uploads.atOnce, processes),
    formsWithFilesAtOnce: partOf(limits.uploads.formsAtOnce, processes),
  };
  if (processes === 1) {
    const whole = { connections, outgoingCalls: limits.outgoing.calls };
    const note = wanted > 1 ? { note: "One process serves: on this system processes cannot share a port" } : {};
    return { processes, share: { ...rest, ...whole }, jobs: whole, connections, ...note };
  }
  const forJobs = Math.min(jobConnections, partOf(connections, processes + 1));
  const each = partOf(connections - forJobs, processes);
  const outgoingCalls = partOf(limits.outgoing.calls, processes + 1);
  return {
    processes,
    share: { ...rest, connections: each, outgoingCalls },
    jobs: { connections: forJobs, outgoingCalls },
    connections: forJobs + processes * each,
  };
}

function partOf(whole: number, parts: number): number {
  return Math.max(1, Math.floor(whole / parts));
}
