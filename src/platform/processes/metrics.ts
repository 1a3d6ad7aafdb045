import { createGauges } from "../observing/gauges.ts";
import type { Registry } from "../observing/prometheus.ts";

/** Creates the metrics of the supervisor. */
export function createSupervisorMetrics(counts: () => { serving: number; restarts: number }): Registry {
  const { registry, add } = createGauges();
  add("parley_processes", "Processes of this node that serve.", () => counts().serving);
  add("parley_process_restarts", "Processes of this node that ended and were started again.", () => counts().restarts);
  return registry;
}
