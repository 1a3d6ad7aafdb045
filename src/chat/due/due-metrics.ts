import { share } from "../../platform/concurrency/share.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { createGauges } from "../../platform/observing/gauges.ts";
import { Counter, Registry } from "../../platform/observing/prometheus.ts";
import { countDueSteps } from "./due-steps.sql.ts";
import type { DueOutcome } from "./take-due-step.ts";

/** Counts the rows that this process handled, for `/metrics`. */
export type DueMetrics = {
  readonly registry: Registry;
  count(kind: string, outcome: DueOutcome | "failed"): void;
};

export function createDueMetrics(): DueMetrics {
  const registry = new Registry();
  const steps = new Counter({
    name: "parley_due_steps_total",
    help: "Steps that run without a request, by kind and outcome. Failed steps are retried.",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  return { registry, count: (kind, outcome) => steps.inc({ kind, outcome }) };
}

const keptMs = 10_000;

/** Returns gauges of the due rows of all nodes. The rows are counted when metrics are requested, at most every 10 s. */
export function createDueGauges(sql: Sql): Registry {
  const { registry, add } = createGauges();
  const due = share(() => countDueSteps(sql), { keptMs });
  // During an outage of the database, the values are omitted.
  const read = () => due().catch(() => undefined);
  add(
    "parley_due_steps_waiting",
    "Due steps of chats that no process has started yet, on all nodes together.",
    async () => (await read())?.count,
  );
  add(
    "parley_due_steps_oldest_seconds",
    "Time in seconds for which the oldest due step has waited, on all nodes together.",
    async () => (await read())?.oldestSeconds,
  );
  return registry;
}
