import { availableParallelism, totalmem } from "node:os";
import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";

/** The share of one process in the limits that protect the machine, and in the database connections. */
export const ShareSchema = Type.Object({
  /** The database connections for requests. */
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
  /** Whether several processes can listen on the same port. The kernel then distributes connections among them. */
  readonly sharesPorts: boolean;
};

type Settings = {
  readonly PROCESSES?: number;
  readonly DATABASE_POOL?: number;
  readonly WORKER_THREADS?: number;
};

/** The distribution of a machine's resources among the processes of a node. */
export type Plan = {
  readonly processes: number;
  readonly share: Share;
  /**
   * The connections and outgoing calls of the parts that run once per node. If there is only one process, its share
   * includes them.
   */
  readonly jobs: Pick<Share, "connections" | "outgoingCalls">;
  /** The number of database connections of the node, excluding those of the queue. */
  readonly connections: number;
  /** A warning for the operator if there are fewer processes than configured. */
  readonly note?: string;
};

/** A serving process and its database backends use about two cores. */
const coresOfProcess = 2;
/**
 * The default limit for processes. One database executes the writes of all processes, so more processes would only wait
 * for it.
 */
const mostByDefault = 16;
/**
 * The memory of a process with its threads under load (280 MB measured), plus a margin. Half of the memory is left to
 * the database and the system.
 */
const processBytes = 400 * 1024 * 1024;
const aloneConnections = 16;
const connectionsEach = 4;
const jobConnections = 4;

export function thisMachine(): Machine {
  // The memory limit of a container. Without a limit, the value is 0 or larger than the machine's memory.
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { cores: availableParallelism(), memoryBytes, sharesPorts: process.platform === "linux" };
}

/**
 * Returns one process for every two cores, but at most 16 and at most as many as fit into half of the memory. Returns
 * at least 1.
 */
export function defaultProcesses({ cores, memoryBytes }: Machine): number {
  const byMemory = Math.floor(memoryBytes / 2 / processBytes);
  return Math.max(1, Math.min(Math.floor(cores / coresOfProcess), byMemory, mostByDefault));
}

/** Plans the serving processes of a node. Each process gets an equal part of every limit, but at least 1. */
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
    const note =
      wanted > 1 ? { note: "Only one process serves, because processes cannot share a port on this system" } : {};
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
