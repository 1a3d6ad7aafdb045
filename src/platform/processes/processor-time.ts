import { readdirSync, readFileSync } from "node:fs";

/** Linux counts a process's time in hundredths of a second. */
const tickMs = 10;

/**
 * Milliseconds of processor time that a process has used with all its threads. If it has children (the backends of a
 * database), their time is included, also that of children that have ended. 0 if the system does not report it (only
 * Linux does), or the process does not exist.
 */
export function cpuMs(pid: number, { withChildren }: { withChildren: boolean }): number {
  const own = readTicks(pid);
  if (!own) return 0;
  if (!withChildren) return own.used * tickMs;
  const children = childrenOf(pid).map((child) => readTicks(child)?.used ?? 0);
  return (own.used + own.ofEndedChildren + children.reduce((sum, ticks) => sum + ticks, 0)) * tickMs;
}

/** The threads of a process, including those of its runtime. */
export function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

/**
 * The processes that a process has started; an empty list if the system does not report them, or the process does not
 * exist.
 */
export function childrenOf(pid: number): number[] {
  // Lists the children of each thread; PostgreSQL's main process has one thread.
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
  // The second field is the program's name in brackets, which may contain blanks; utime is the fourteenth.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const ticks = (field: number) => Number(fields[field - 3] ?? 0);
  return { used: ticks(14) + ticks(15), ofEndedChildren: ticks(16) + ticks(17) };
}

/** A process may end while it is inspected. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
