import { readdirSync, readFileSync } from "node:fs";
import { type ProcessStat, readStat } from "./processor-time.ts";

/** The kinds of processes in a run, for which processor time is summed. */
export type Kind = "tests" | "browsers" | "databases" | "services and other programs" | "format, lint and types";

/** A process in one scan of all processes. */
export type Look = ProcessStat & { readonly pid: number; readonly command: string };

/** The interval of the scans. With 130 processes, a scan takes 3.6 ms of processor time. */
const everyMs = 500;

/**
 * Sums the processor time of this process and all its descendants by kind, until the returned function is called. The
 * sums are empty if the system does not report processor time.
 */
export function watchProcessorUse(): () => ReadonlyMap<Kind, number> {
  const use = createProcessorUse(process.pid);
  use.look(readProcesses());
  const timer = setInterval(() => use.look(readProcesses()), everyMs).unref();
  return () => {
    clearInterval(timer);
    use.look(readProcesses());
    return use.seconds();
  };
}

type Seen = Look & { readonly kind: Kind; readonly parentKey: string | undefined; readonly lastLook: number };

/**
 * Sums the scans of the descendants of `root`. A process counts with its last scanned time, and still belongs to the
 * run after its parent has ended. The system's own sum lacks browsers and killed services, because their parents do not
 * wait for them. The time of processes that were never scanned, and the time after a last scan, are derived from the
 * parent's sum for ended children.
 */
export function createProcessorUse(root: number) {
  const seen = new Map<string, Seen>();
  let looks = 0;
  return {
    look(processes: readonly Look[]): void {
      looks++;
      const now = new Map(processes.map((one) => [one.pid, one]));
      const isOfRun = (one: Look): boolean => {
        if (one.pid === root || seen.has(keyOf(one))) return true;
        const parent = now.get(one.parent);
        return parent !== undefined && isOfRun(parent);
      };
      for (const one of processes.filter(isOfRun)) {
        const parent = now.get(one.parent);
        const before = seen.get(keyOf(one));
        const parentKey = before?.parentKey ?? (parent && keyOf(parent));
        // A new process still has the command of its parent, and a process that has just ended has no command.
        const command = one.command === "" && before ? before.command : one.command;
        seen.set(keyOf(one), { ...one, command, kind: kindOf(command), parentKey, lastLook: looks });
      }
    },
    seconds(): ReadonlyMap<Kind, number> {
      const sums = new Map<Kind, number>();
      const add = (kind: Kind, seconds: number) => sums.set(kind, (sums.get(kind) ?? 0) + seconds);
      const below = Map.groupBy(seen, ([, { parentKey }]) => parentKey);
      const sumBelow = (key: string, isCounted: (one: Seen) => boolean): number =>
        (below.get(key) ?? [])
          .filter(([, one]) => isCounted(one))
          .reduce((sum, [child, one]) => sum + known(child, one), 0);
      const known = (key: string, { own, ofEnded, lastLook }: Seen): number =>
        own + Math.max(ofEnded, lastLook < looks ? sumBelow(key, () => true) : 0);
      for (const [key, one] of seen) {
        add(one.kind, one.own);
        const seenBelow = sumBelow(key, ({ lastLook }) => lastLook < one.lastLook);
        add(kindBelow(one), Math.max(0, one.ofEnded - seenBelow));
      }
      return sums;
    },
  };
}

/** Returns the kind to assign to unscanned descendants of a process. Tests start services, and the run starts tests. */
function kindBelow({ kind, command }: Seen): Kind {
  return kind === "tests" && command.includes("--test-worker") ? "services and other programs" : kind;
}

function keyOf({ pid, start }: Look): string {
  return `${pid} ${start}`;
}

function kindOf(command: string): Kind {
  const [program = "", first = ""] = command.split(/[\0 ]/);
  if (/chrom/i.test(program)) return "browsers";
  if (/postgres|initdb/.test(program)) return "databases";
  if (/\/(?:tsc|biome)\b/.test(command)) return "format, lint and types";
  return first === "test" || first.endsWith("test/run.ts") ? "tests" : "services and other programs";
}

function readProcesses(): Look[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    const stat = Number.isNaN(pid) ? undefined : readStat(pid);
    return stat ? [{ ...stat, pid, command: commandOf(pid) }] : [];
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // The process has ended in the meantime.
    return "";
  }
}
