import { Counter, Gauge, Histogram, Registry } from "prom-client";

export type CountedRequest = {
  readonly method: string;
  /** The route's pattern. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly isStep: boolean;
};

export type HttpMetrics = {
  count(request: CountedRequest): void;
  /** The text of `/metrics` and its content type. */
  read(): Promise<{ text: string; contentType: string }>;
};

/** Counters of one app, in a registry of its own, so that two apps in one process (tests) do not count together. */
export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ["method", "route", "status"] as const;
  const requests = new Counter({
    name: "parley_http_requests_total",
    help: "Requests answered.",
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: "parley_http_request_duration_seconds",
    help: "Time from a request's arrival to its answer.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240],
    registers,
  });
  const steps = new Counter({ name: "parley_steps_total", help: "Chat steps answered with success.", registers });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of this process.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  return {
    count({ method, route, status, ms, isStep }) {
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, ms / 1000);
      if (isStep && status === 200) steps.inc();
    },
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
