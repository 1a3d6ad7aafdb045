import { readFileSync } from "node:fs";
import type { Service } from "../../support/service.ts";

/** Returns the serving processes of a supervisor. */
export function servingPids({ pid }: Pick<Service, "pid">): number[] {
  return read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .map(Number)
    .filter((child) => child > 0 && isAlive(child) && isServing(child));
}

export function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && !stat.includes(") Z ");
}

/** Whether a child process serves requests. An embedded database is also a child process, but does not serve. */
function isServing(pid: number): boolean {
  return read(`/proc/${pid}/environ`).includes("PARLEY_SUPERVISED=1");
}

/** Reads a file, or returns an empty text if its process has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
