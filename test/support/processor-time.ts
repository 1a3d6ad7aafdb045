import { existsSync, readFileSync } from "node:fs";

/** Linux's unit of processor time, on every machine. */
const ticksPerSecond = 100;

/** A process in the form of Linux. */
export type ProcessStat = {
  readonly parent: number;
  /** When it started: together with its number this identifies the process, since numbers are reused. */
  readonly start: string;
  /** Its own processor time, in seconds. */
  readonly own: number;
  /** The time of all its ended descendants, if their parents waited for them. */
  readonly ofEnded: number;
};

/** Undefined if there is no such process, or the system does not report it. */
export function readStat(pid: number | "self"): ProcessStat | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  // After the program's name, which may contain spaces.
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
 * Processor time of this process, and of all its ended descendants, in seconds; undefined if the system does not report
 * it.
 */
export function processorSeconds(): number | undefined {
  const stat = readStat("self");
  return stat && stat.own + stat.ofEnded;
}
