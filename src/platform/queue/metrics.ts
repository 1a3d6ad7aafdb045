import { share } from "../concurrency/share.ts";
import { Counter, Gauge, Registry } from "../observing/prometheus.ts";
import type { Queue } from "./queue.sql.ts";
import { countWaiting } from "./queue-tables.sql.ts";
import { type QueueName, queueNames } from "./queues.ts";

export type JobEnd = "done" | "retried" | "given_up";

/** The metrics of jobs: the attempts of this process, and the waiting jobs of all nodes. */
export type JobMetrics = {
  readonly registry: Registry;
  count(queue: QueueName, outcome: JobEnd): void;
};

const keptMs = 10_000;

export function createJobMetrics({ sql }: Pick<Queue, "sql">): JobMetrics {
  const registry = new Registry();
  const attempts = new Counter({
    name: "parley_jobs_total",
    help: "Attempts of jobs, by queue and outcome.",
    labelNames: ["queue", "outcome"],
    registers: [registry],
  });
  const waiting = share(() => countWaiting(sql, queueNames), { keptMs });
  new Gauge({
    name: "parley_jobs_waiting",
    help: "Jobs of a queue that wait for a worker or for their next attempt, on all nodes together. In a dead-letter queue, jobs that failed permanently.",
    labelNames: ["queue"],
    registers: [registry],
    async collect() {
      // During an outage of the database, the number of waiting jobs is unknown and therefore omitted.
      const counts = await waiting().catch(() => []);
      this.reset();
      for (const { queue, count } of counts) this.set({ queue }, count);
    },
  });
  return { registry, count: (queue, outcome) => attempts.inc({ queue, outcome }) };
}
