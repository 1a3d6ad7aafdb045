import type { PgBoss } from "pg-boss";
import type { CleanUp, CleanUpJob } from "./clean-up.ts";

/**
 * Schedules a job for each task, once in the cluster, and removes the schedules of earlier releases. Runs that were due
 * while no node was up are made up for by one; a task whose job still waits or runs gets no second one.
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
