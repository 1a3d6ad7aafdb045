import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { PgBoss } from "pg-boss";
import { limits } from "../../limits/index.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { Handler } from "./workers.ts";

/** After a batch, the task pauses for as long as the batch took, up to `maxRestMs`. */
const usual = { restsPerBatch: 1, maxRestMs: 1_000, runMs: limits.cleanUp.runMs };
/**
 * The limits of a patient task. It uses about a twelfth of one connection, so that visitors do not notice it. With
 * shorter pauses, counting the results used half of the database, and visitors at half of the maximum rate waited
 * seconds for their answers (`npm run soak`).
 */
const patient = { restsPerBatch: 11, maxRestMs: 10_000, runMs: limits.cleanUp.patientRunMs };

/** A scheduled task that processes rows in small batches. The task runs once in the cluster. Most tasks delete rows. */
export type CleanUp = {
  /** The name of the task, which is the same in every release. It consists of letters, digits and hyphens. */
  readonly name: string;
  /** The schedule of the task in UTC: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** The verb in the message of the task's job. Defaults to "Removed". */
  readonly did?: string;
  /** Whether the task has much work while there are many visitors, and may wait until there are fewer visitors. */
  readonly isPatient?: boolean;
  /** Processes one batch and returns its size, or 0 if nothing is left. An empty batch is cheap. */
  removeSome(): Promise<number>;
};

/** The job data of a task. */
export const CleanUpJob = Type.Object({ task: Type.String() });
export type CleanUpJob = Static<typeof CleanUpJob>;

/**
 * Returns the handler that runs a task in batches until nothing is left, its time limit is reached or the process
 * stops. The next run continues the work.
 *
 * Between batches, the task pauses for as long as the last batch took, but at most a second. Chats therefore usually
 * have at least half of the database. A patient task pauses longer. While the database's clock may be ahead, the
 * handler does nothing, because deletions cannot be undone.
 */
export function cleanUp(tasks: readonly CleanUp[], clockWatch: Pick<ClockWatch, "isAhead">): Handler {
  const taskOf = new Map(tasks.map((task) => [task.name, task]));
  return async ({ data, signal }) => {
    const { task: name } = Value.Parse(CleanUpJob, data);
    const task = taskOf.get(name);
    // Another node may run another release with different tasks.
    if (!task) return { kind: "done", message: `There is no task "${name}" in this release` };
    if (clockWatch.isAhead())
      return { kind: "done", message: "Nothing is removed, because the database's clock has stepped forward" };
    const { did = "Removed", isPatient = false } = task;
    const { restsPerBatch, maxRestMs, runMs } = isPatient ? patient : usual;
    const deadline = performance.now() + runMs;
    let count = 0;
    while (!signal.aborted && performance.now() < deadline) {
      const begun = performance.now();
      const removed = await task.removeSome();
      if (removed === 0) return { kind: "done", message: `${did} ${count}` };
      count += removed;
      await Bun.sleep(Math.min(restsPerBatch * (performance.now() - begun), maxRestMs));
    }
    return { kind: "done", message: `${did} ${count}, and the next run continues` };
  };
}

/**
 * Schedules a job for each task, once in the cluster, and removes the schedules of earlier releases. One run replaces
 * all runs that were missed while no node was running. A task with a waiting or running job gets no second job.
 */
export async function scheduleCleanUps(boss: PgBoss, tasks: readonly CleanUp[]): Promise<void> {
  const present = new Map((await boss.getSchedules("clean-up")).map((schedule) => [schedule.key, schedule]));
  for (const { name, cron } of tasks) {
    const isCurrent = present.get(name)?.cron === cron;
    present.delete(name);
    if (isCurrent) continue;
    const data: CleanUpJob = { task: name };
    await boss.schedule("clean-up", cron, data, { key: name, singletonKey: name, tz: "UTC", missed: "once" });
  }
  for (const key of present.keys()) await boss.unschedule("clean-up", key);
}
