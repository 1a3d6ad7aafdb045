import { isAlive } from "../../../platform/processes/children.ts";
import { waitFor } from "../../../support/wait.ts";
import { between, type Fault, type Field, oneOf } from "../field.ts";

const startedWithinMs = 240_000;

function ends(name: string, signal: NodeJS.Signals, chosen: (field: Field) => Promise<readonly number[]>): Fault {
  return { name, strike: async (field) => end(field, await chosen(field), signal) };
}

export async function end(
  { nodes, count, processes }: Field,
  pids: readonly number[],
  signal: NodeJS.Signals,
): Promise<void> {
  const ended = nodes.running().filter(({ service }) => pids.includes(service.pid));
  for (const pid of pids) process.kill(pid, signal);
  const areAllBack = (): boolean => {
    const running = nodes.running();
    if (running.length < count || pids.some(isAlive)) return false;
    if (running.some(({ service }) => ended.some((other) => other.service === service))) return false;
    return running.every((node) => node.pids.length === processes);
  };
  await waitFor(areAllBack, { withinMs: startedWithinMs, what: "all nodes" });
}

/**
 * Suspends processes for a random time. Meanwhile they neither send anything nor close connections, and the state of
 * the system changes.
 */
export async function suspend({ random }: Field, pids: readonly number[], least: number, most: number): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await Bun.sleep(between(random, least, most));
  for (const pid of pids) process.kill(pid, "SIGCONT");
}

async function someNode({ nodes, random }: Field): Promise<{ pid: number; pids: readonly number[] }> {
  const { service, pids } = await waitFor(
    () => {
      const running = nodes.running();
      return running.length > 0 && oneOf(random, running);
    },
    { withinMs: startedWithinMs, what: "a node" },
  );
  return { pid: service.pid, pids };
}

const servesAlone = ({ processes }: Field) => processes === 1 && "a node is one process";

export const processFaults: readonly Fault[] = [
  ends("kill -9 of a node", "SIGKILL", async (field) => {
    const { pid, pids } = await someNode(field);
    return [...new Set([pid, ...pids])];
  }),
  ends("kill -9 of every node", "SIGKILL", async ({ nodes }) => nodes.running().map(({ service }) => service.pid)),
  ends("SIGTERM of a node", "SIGTERM", async (field) => [(await someNode(field)).pid]),
  {
    name: "a node stands still (SIGSTOP)",
    async strike(field) {
      const { pid, pids } = await someNode(field);
      await suspend(field, [...new Set([pid, ...pids])], 3_000, 20_000);
    },
  },
  {
    ...ends("kill -9 of a supervisor", "SIGKILL", async (field) => [(await someNode(field)).pid]),
    isMissing: servesAlone,
  },
  {
    ...ends("kill -9 of a serving process", "SIGKILL", async (field) => [
      oneOf(field.random, (await someNode(field)).pids),
    ]),
    isMissing: servesAlone,
  },
];
