import { existsSync, readFileSync } from "node:fs";

/** Linux's unit of processor time, which is the same on every machine. */
const ticksPerSecond = 100;

/** The statistics of a process, as reported by Linux. */
export type ProcessStat = {
  readonly parent: number;
  /** The start time. It identifies the process together with the process id, because ids are reused. */
  readonly start: string;
  /** The processor time of the process itself, in seconds. */
  readonly own: number;
  /** The processor time of all ended descendants whose parents waited for them, in seconds. */
  readonly ofEnded: number;
};

/**
 * Reads the statistics of a process. Returns undefined if the process does not exist or the system reports no
 * statistics.
 */
export function readStat(pid: number | "self"): ProcessStat | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  // The fields follow the program's name, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [user, system, usersBelow, systemsBelow] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    start: fields[19] ?? "",
    own: ((user ?? 0) + (system ?? 0)) / ticksPerSecond,
    ofEnded: ((usersBelow ?? 0) + (systemsBelow ?? 0)) / ticksPerSecond,
  };
}

/**
 * Returns the processor time in seconds of this process and all its ended descendants. Returns undefined if the system
 * reports no processor time.
 */
export function processorSeconds(): number | undefined {
  const stat = readStat("self");
  return stat && stat.own + stat.ofEnded;
}
