import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";

/**
 * Has this thread leave its core to others of the process and the machine whenever these want it: it gets a tenth of their time
 * then (p99 of 4 chats beside 4 whose scripts never end: 8 instead of 12 ms, and 5 ms without them; two cores). Linux alone can
 * do that for a thread; elsewhere it stays as it is.
 */
export function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // No such system, or not allowed to: nothing depends on it but others' speed.
  }
}
