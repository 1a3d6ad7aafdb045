import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { waitFor } from "../../../support/wait.ts";
import type { Fault, Field } from "../field.ts";
import { end, suspend } from "./processes.ts";

const foundWithinMs = 180_000;

/** Finds the process that is delivering an event by its connection to the receiver, independently of its lease. */
async function delivering({ nodes, events }: Field): Promise<number> {
  return await waitFor(
    async () => {
      const ports = new Set(await events?.portsUnderWay());
      const inodes = new Set(socketsOf(ports));
      return nodes
        .running()
        .flatMap(({ service, pids }) => [service.pid, ...pids])
        .find((pid) => hasSocket(pid, inodes));
    },
    { withinMs: foundWithinMs, what: "an event to be delivered" },
  );
}

function socketsOf(ports: ReadonlySet<number>): string[] {
  const lines = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const port = Number.parseInt(fields[1]?.split(":")[1] ?? "", 16);
    return ports.has(port) ? [fields[9] ?? ""] : [];
  });
}

function hasSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return list(folder).some((name) => {
    const inode = /^socket:\[(\d+)\]$/.exec(target(`${folder}/${name}`))?.[1];
    return inode !== undefined && inodes.has(inode);
  });
}

/** Returns an empty list for a missing folder, because processes end and sockets close during the search. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function target(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

const isMissing = ({ events }: Field) => events === undefined && "no endpoint listens";

export const deliveryFaults: readonly Fault[] = [
  {
    name: "kill -9 of the node that delivers events",
    isMissing,
    aim: delivering,
    strike: (field, pid) => end(field, [pid], "SIGKILL"),
  },
  {
    name: "SIGTERM of the node that delivers events",
    isMissing,
    aim: delivering,
    strike: (field, pid) => end(field, [pid], "SIGTERM"),
  },
  {
    name: "the node that delivers events stands still (SIGSTOP)",
    isMissing,
    aim: delivering,
    strike: (field, pid) => suspend(field, [pid], 5_000, 20_000),
  },
];
