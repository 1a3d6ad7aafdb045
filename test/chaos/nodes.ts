import { join } from "node:path";
import { endService, type Service, startService } from "../support/service.ts";
import { type Fault, faultText, faultVariable } from "./faults.ts";

/** What ends a node: a fault of its own, or somebody outside after so many milliseconds. */
export type Death = Fault | { readonly point: "at random"; readonly afterMs: number };

/** Nodes on one database. Each one that dies is started again, to die the next death that is planned. */
export type Nodes = {
  /** Addresses of those that listen now. */
  urls(): string[];
  readonly deaths: readonly string[];
  /** What nodes have written to standard error. */
  errors(): string;
  /** Waits until all run and none has a death before it. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

const restartPauseMs = 100;
const command = [process.execPath, join(import.meta.dir, "node.ts")];

export function startNodes(options: {
  count: number;
  environment: Readonly<Record<string, string>>;
  deaths: readonly Death[];
}): Nodes {
  const planned = [...options.deaths];
  const deaths: string[] = [];
  const running = new Map<number, Service>();
  const errors: string[] = [];
  let isClosing = false;

  const runOnce = async (index: number, death: Death | undefined): Promise<boolean> => {
    const fault = death && death.point !== "at random" ? { [faultVariable]: faultText(death) } : {};
    const service = await startService({ command, environment: { ...options.environment, ...fault } }).catch(
      // A node that finds no database ends with a sentence; whoever runs it starts it again.
      (error: unknown) => void errors.push(String(error)),
    );
    if (!service) return false;
    running.set(index, service);
    const murder =
      death?.point === "at random" ? setTimeout(() => service.signal("SIGKILL"), death.afterMs) : undefined;
    if (isClosing) await endService(service);
    await service.exited;
    clearTimeout(murder);
    running.delete(index);
    errors.push(service.stderr());
    return true;
  };
  const keepRunning = async (index: number): Promise<void> => {
    while (!isClosing) {
      const death = planned.shift();
      const hasRun = await runOnce(index, death);
      if (isClosing) return;
      if (!hasRun && death) planned.unshift(death);
      if (hasRun) deaths.push(death?.point ?? "unasked");
      else await Bun.sleep(restartPauseMs);
    }
  };
  const kept = Array.from({ length: options.count }, (_, index) => keepRunning(index));
  return {
    urls: () => [...running.values()].map(({ url }) => url),
    deaths,
    errors: () => [...errors, ...[...running.values()].map((service) => service.stderr())].join(""),
    async settled() {
      while (running.size < options.count || deaths.length < options.deaths.length) await Bun.sleep(restartPauseMs);
    },
    async close() {
      isClosing = true;
      await Promise.all([...running.values()].map(endService));
      await Promise.all(kept);
    },
  };
}
