import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/**
 * A nice value: the thread gets a fifth of a core that another thread also needs. It is not lower, because the kill
 * timer uses the wall clock, and a step within its budget may take three seconds of a whole core. Threads that the
 * engine starts from this one inherit it.
 */
export const lowPriority = 7;

/**
 * Makes this thread yield its core to other threads of the machine (p99 of 4 chats beside 4 with endless scripts,
 * relative to 4 chats alone: 1.6 to 2.3 instead of 2.5; two cores). Only Linux supports this for a thread; elsewhere
 * nothing happens.
 */
export function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), lowPriority);
  } catch {
    // Another system, or no permission: this only affects the speed of other threads.
  }
}
