import { mkdirSync } from "node:fs";
import { isAlive, servingPids } from "../platform/processes/children.ts";
import { commandOf } from "../support/programs.ts";
import { endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";
import { type Fault, faultsVariable, openFaults } from "./faults.ts";

/** How a process ends: by its own fault, or by a signal after `afterMs` milliseconds. */
export type Death = Fault | { readonly point: OutsideDeath; readonly afterMs: number };

/** Any serving process, or the supervisor. */
export type OutsideDeath = "at random" | "the supervisor";

/**
 * Nodes on one database, each of one or several processes. A process that dies is restarted with the next planned
 * death.
 */
export type Nodes = {
  /** Returns the addresses of the listening nodes. */
  urls(): string[];
  /** Returns the listening services. `pids` are their serving processes. */
  running(): { readonly service: Service; readonly pids: readonly number[] }[];
  readonly deaths: readonly string[];
  /** Returns the standard error of nodes. */
  errors(): string;
  /** Waits until all nodes run and no planned death is left. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

const pauseMs = 50;

export function startNodes(options: {
  /** The number of processes of each node. */
  processes: readonly number[];
  /** The folder of the planned faults, which is created. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  deaths: readonly Death[];
  random: () => number;
}): Nodes {
  const { processes, folder, random } = options;
  mkdirSync(folder, { recursive: true });
  const faults = openFaults(folder);
  faults.plan(options.deaths.filter((death) => "passing" in death));
  const murders = options.deaths.filter((death) => "afterMs" in death);
  const deaths: string[] = [];
  const running = new Map<number, Service>();
  const errors: string[] = [];
  let isClosing = false;

  const runOnce = async (index: number, port: string): Promise<string> => {
    const service = await startService({
      command: commandOf("test/chaos/node.ts"),
      environment: {
        ...options.environment,
        PROCESSES: String(processes[index]),
        PORT: port,
        [faultsVariable]: folder,
      },
    }).catch(
      // A node that cannot reach its database exits with a message, and its operator restarts it.
      (error: unknown) => void errors.push(String(error)),
    );
    // Another process may have bound the port of the node.
    if (!service) return "0";
    running.set(index, service);
    if (isClosing) await endService(service);
    await service.exited;
    running.delete(index);
    errors.push(service.stderr());
    return new URL(service.url).port;
  };
  const keepRunning = async (index: number): Promise<void> => {
    for (let port = "0"; !isClosing; ) {
      port = await runOnce(index, port);
      if (!isClosing) await Bun.sleep(pauseMs);
    }
  };
  const countFaults = async (): Promise<void> => {
    while (!isClosing) {
      deaths.push(...faults.collect(isAlive));
      await Bun.sleep(pauseMs);
    }
  };
  const pidsOf = (index: number, service: Service): number[] =>
    processes[index] === 1 ? [service.pid] : servingPids(service);
  const killSomebody = async (point: OutsideDeath): Promise<void> => {
    await waitFor(
      () => {
        const pids = [...running].flatMap(([index, service]) =>
          point === "at random" ? pidsOf(index, service) : [service.pid],
        );
        const pid = pids[Math.floor(random() * pids.length)];
        return pid !== undefined && isKilled(pid);
      },
      { withinMs: 120_000, what: "somebody to kill" },
    );
    deaths.push(point);
  };
  const kill = async (): Promise<void> => {
    await waitFor(() => isClosing || running.size === processes.length, { withinMs: 240_000, what: "all nodes" });
    for (const { point, afterMs } of murders) {
      await Bun.sleep(afterMs);
      if (!isClosing) await killSomebody(point);
    }
  };
  const kept = [...processes.map((_, index) => keepRunning(index)), countFaults(), kill()];
  return {
    urls: () => [...running.values()].map(({ url }) => url),
    running: () => [...running].map(([index, service]) => ({ service, pids: pidsOf(index, service) })),
    deaths,
    errors: () => [...errors, ...[...running.values()].map((service) => service.stderr())].join(""),
    async settled() {
      while (running.size < processes.length || deaths.length < options.deaths.length) await Bun.sleep(pauseMs);
    },
    async close() {
      isClosing = true;
      await Promise.all([...running.values()].map(endService));
      await Promise.all(kept);
    },
  };
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
