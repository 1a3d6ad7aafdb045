import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { limits } from "../../limits.ts";
import type { ClockWatch } from "../clock-watch.ts";
import type { Handler } from "../workers.ts";

/** The longest rest after a batch, which otherwise takes as long as the batch did. */
const maxRestMs = 1_000;

/** A scheduled task that works rows off in small batches, once in the cluster: most remove them. */
export type CleanUp = {
  /** Identifies the task in every release: letters, digits and hyphens. */
  readonly name: string;
  /** When it runs, in UTC: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** What its job says that it did; absent: "Removed". */
  readonly did?: string;
  /** Works off one batch and returns how much that was; 0 says that nothing is left to do. Cheap when nothing is. */
  removeSome(): Promise<number>;
};

/** The job of a task. */
export const CleanUpJob = Type.Object({ task: Type.String() });
export type CleanUpJob = Static<typeof CleanUpJob>;

/**
 * Does nothing while the database's clock may be ahead: removals could not be undone. The next run of the task looks again. Otherwise it
 * runs a task batch by batch until nothing is left, its time is over or the process is to stop: the next run goes on. Between batches it
 * rests as long as the last one took, so that chats keep at least half of the database.
 */
export function cleanUp(tasks: readonly CleanUp[], clockWatch: Pick<ClockWatch, "isAhead">): Handler {
  const taskOf = new Map(tasks.map((task) => [task.name, task]));
  return async ({ data, signal }) => {
    const { task: name } = Value.Parse(CleanUpJob, data);
    const task = taskOf.get(name);
    // Another node may be of another release, and know more tasks or fewer.
    if (!task) return { kind: "done", message: `There is no task "${name}" in this release` };
    if (clockWatch.isAhead())
      return { kind: "done", message: "Nothing is removed: the database's clock has stepped forward" };
    const { did = "Removed" } = task;
    const deadline = performance.now() + limits.cleanUp.runMs;
    let count = 0;
    while (!signal.aborted && performance.now() < deadline) {
      const begun = performance.now();
      const removed = await task.removeSome();
      if (removed === 0) return { kind: "done", message: `${did} ${count}` };
      count += removed;
      await Bun.sleep(Math.min(performance.now() - begun, maxRestMs));
    }
    return { kind: "done", message: `${did} ${count}, and the next run goes on` };
  };
}
