import { Gauge, Registry } from "prom-client";

/** The metrics of the supervisor. */
export function createSupervisorMetrics(counts: () => { serving: number; restarts: number }): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: "parley_processes",
    help: "Processes of this node that serve.",
    registers,
    collect() {
      this.set(counts().serving);
    },
  });
  new Gauge({
    name: "parley_process_restarts",
    help: "Processes of this node that ended and were started again.",
    registers,
    collect() {
      this.set(counts().restarts);
    },
  });
  return registry;
}
