import { createGauges } from "../observing/gauges.ts";
import type { Registry } from "../observing/prometheus.ts";

/** Creates the metrics of the supervisor. */
export function createSupervisorMetrics(counts: () => { serving: number; restarts: number }): Registry {
  const { registry, add } = createGauges();
  add("parley_processes", "Running serving processes of this node.", () => counts().serving);
  add("parley_process_restarts", "Processes of this node that ended and were restarted.", () => counts().restarts);
  return registry;
}
