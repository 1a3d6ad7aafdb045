import { readdirSync, readFileSync } from "node:fs";

/** Linux counts the processor time of a process in hundredths of a second. */
const tickMs = 10;

/**
 * Returns the processor time in milliseconds that all threads of a process have used. With `withChildren`, the time of
 * child processes is included (the backends of a database), even if they have ended. Returns 0 if the system does not
 * report processor times (only Linux does) or the process does not exist.
 */
export function cpuMs(pid: number, { withChildren }: { withChildren: boolean }): number {
  const own = readTicks(pid);
  if (!own) return 0;
  if (!withChildren) return own.used * tickMs;
  const children = childrenOf(pid).map((child) => readTicks(child)?.used ?? 0);
  return (own.used + own.ofEndedChildren + children.reduce((sum, ticks) => sum + ticks, 0)) * tickMs;
}

/** Returns the number of threads of a process, including those of its runtime. Works only on Linux. */
export function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

/**
 * Returns the child processes of a process. The list is empty if the system does not report them or the process does
 * not exist.
 */
export function childrenOf(pid: number): number[] {
  // Linux lists the children of each thread separately. PostgreSQL's main process has one thread.
  return list(`/proc/${pid}/task`).flatMap((thread) =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? "").trim().split(" ").filter(Boolean).map(Number),
  );
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readTicks(pid: number): { used: number; ofEndedChildren: number } | undefined {
  const line = read(`/proc/${pid}/stat`);
  if (line === undefined) return undefined;
  // The second field is the program's name in brackets, which may contain blanks. Field 14 is utime.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const ticks = (field: number) => Number(fields[field - 3] ?? 0);
  return { used: ticks(14) + ticks(15), ofEndedChildren: ticks(16) + ticks(17) };
}

/** Returns undefined if the file cannot be read, for example because the process has ended. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
