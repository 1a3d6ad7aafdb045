import { backgroundClock, type Clock } from "../concurrency/clock.ts";

/** The interval at which the process checks whether it is idle. */
export const everyMs = 5_000;

/**
 * A process is idle if it uses less processor time than this within `everyMs`. Its regular background work uses less.
 */
export const idleMs = 100;

/** The number of consecutive idle checks before memory is released: half a minute. */
export const idleLooks = 6;

/** Memory is released again only after this much processor time. Regular background work takes minutes to use it. */
export const workMs = 5_000;

/**
 * A process that uses less memory than this limit does not release memory. After a start, a process uses 145 MB; with
 * 32 visitors, about 210 MB.
 */
export const heldBytes = 200 * 1024 * 1024;

/**
 * Releases memory that was only needed at peak load: compiled code, which grows with each page and operation that is
 * used, and free pages. `Bun.gc(true)` released 5 MB, `Bun.shrink()` 40 to 60 MB, and the first chat afterwards takes
 * 40 ms more processor time, once. Only a process that uses much memory and has been idle for a long time releases it.
 * Requests have no extra cost, because the processor time shows whether there is work.
 *
 *     at rest ─ `workMs` of work ─────────────────────────────→ due, as after a start
 *     due ─ `idleLooks` idle checks, `heldBytes` are in use ──→ at rest, after memory was released
 */
export function startGivingBack({
  clock = backgroundClock,
  processorMs = ownProcessorMs,
  residentBytes = process.memoryUsage.rss,
  giveBack = Bun.shrink,
}: {
  clock?: Pick<Clock, "startTimer">;
  processorMs?: () => number;
  residentBytes?: () => number;
  giveBack?: () => void;
} = {}): void {
  let [workedMs, idle, isOwing] = [0, 0, true];
  let before = processorMs();
  const look = (): void => {
    const now = processorMs();
    const usedMs = now - before;
    before = now;
    workedMs += usedMs;
    isOwing ||= workedMs >= workMs;
    idle = usedMs < idleMs ? idle + 1 : 0;
    if (isOwing && idle >= idleLooks && residentBytes() >= heldBytes) {
      [workedMs, isOwing] = [0, false];
      giveBack();
    }
    clock.startTimer(everyMs, look);
  };
  clock.startTimer(everyMs, look);
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
