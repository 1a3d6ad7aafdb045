import { backgroundClock, type Clock } from "../concurrency/clock.ts";

/** The interval at which the process checks whether it has work. */
export const everyMs = 5_000;

/** A process that uses less processor time within `everyMs` counts as idle. Its regular work uses less. */
export const idleMs = 100;

/** The number of consecutive checks that must find the process idle: half a minute. */
export const idleLooks = 6;

/** Memory is given back again only after this much work. Regular work takes minutes to add up to it. */
export const workMs = 5_000;

/** A process with less memory than this keeps it. A start holds 145 MB, and 32 visitors raise it to about 210. */
export const heldBytes = 200 * 1024 * 1024;

/**
 * Gives back what the busiest moment needed: compiled code, which grows with each page and operation that is used, and
 * free pages. `Bun.gc(true)` gave back 5 MB then, `Bun.shrink()` 40 to 60, and the first chat after it takes 40 ms of
 * processor time more, once: so only a process that holds much and has been idle for long does so. Requests pay
 * nothing, since processor time says whether there is work.
 *
 *     at rest ─ `workMs` of work ────────────────────────────→ owing, as after a start
 *     owing ─ `idleLooks` idle, and `heldBytes` are held ────→ gives back, then at rest
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
