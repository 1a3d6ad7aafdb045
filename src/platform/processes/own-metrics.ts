import { Counter, Gauge, Registry } from "../observing/prometheus.ts";

/** The interval at which the delay of the event loop is measured. */
const everyMs = 500;

/** The reported delay is the longest of this many measurements. They span more than one scrape. */
const kept = 60;

/** Creates the metrics of the current process, labelled with its name if it has a name. */
export function createProcessMetrics(name: string | undefined): Registry {
  const registry = new Registry();
  const registers = [registry];
  const labels = { labelNames: name === undefined ? [] : ["process"], registers };
  const own: Record<string, string> = name === undefined ? {} : { process: name };
  const lags: number[] = [];
  let dueAt = performance.now() + everyMs;
  setInterval(() => {
    const now = performance.now();
    lags.push(Math.max(0, now - dueAt));
    if (lags.length > kept) lags.shift();
    dueAt = now + everyMs;
  }, everyMs).unref();
  new Gauge({
    ...labels,
    name: "parley_event_loop_lag_seconds",
    help: "Maximum delay of a timer in the event loop within the last half minute.",
    collect() {
      this.set(own, Math.max(0, ...lags) / 1_000);
    },
  });
  new Counter({
    ...labels,
    name: "process_cpu_seconds_total",
    help: "Processor time of this process, including its threads.",
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc(own, (user + system) / 1_000_000);
    },
  });
  new Gauge({
    ...labels,
    name: "process_start_time_seconds",
    help: "Start time of this process, in seconds since 1970.",
    collect() {
      this.set(own, (Date.now() - performance.now()) / 1_000);
    },
  });
  return registry;
}
