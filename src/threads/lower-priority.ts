import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/**
 * A fifth of the time that another thread gets where both want the same core. Not less: a thread is killed by the clock, and a
 * step within its budget takes three seconds of a whole core; and whatever the engine starts from this thread inherits it.
 */
export const lowPriority = 7;

/**
 * Has this thread leave its core to others of the process and the machine that want it (p99 of 4 chats beside 4 whose scripts never
 * end, in the quiet one: 1.6 to 2.3 instead of 2.5; two cores). Linux alone can do that for a thread; elsewhere it stays as it is.
 */
export function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), lowPriority);
  } catch {
    // No such system, or not allowed to: nothing depends on it but others' speed.
  }
}
