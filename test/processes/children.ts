import { readFileSync } from "node:fs";
import type { Service } from "../support/service.ts";

/** The serving processes of a supervisor. */
export function servingPids({ pid }: Pick<Service, "pid">): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return listed
    .split(" ")
    .map(Number)
    .filter((child) => child > 0 && isAlive(child) && isServing(child));
}

export function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** An embedded database is a child, too. */
function isServing(pid: number): boolean {
  return readFileSync(`/proc/${pid}/environ`, "utf8").includes("PARLEY_SUPERVISED=1");
}
