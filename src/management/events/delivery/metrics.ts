import { Counter, Gauge, Registry } from "../../../platform/observing/prometheus.ts";

export type EventMetrics = {
  readonly registry: Registry;
  /** Counts events by the outcome of an attempt. */
  count(outcome: "delivered" | "retried" | "given_up"): void;
  setBacklog(backlog: {
    readonly pending: number;
    readonly oldestSeconds: number;
    readonly fallingBehind: number;
  }): void;
};

/**
 * Creates the metrics. Attempts are counted for this process. The backlog is that of all nodes, and is at most half a
 * minute old.
 */
export function createEventMetrics(): EventMetrics {
  const registry = new Registry();
  const registers = [registry];
  const attempts = new Counter({
    name: "parley_events_attempts_total",
    help: "Attempts to deliver outbound events.",
    labelNames: ["outcome"],
    registers,
  });
  const pending = new Gauge({
    name: "parley_events_pending",
    help: "Outbound events that wait for enabled endpoints, on all nodes together.",
    registers,
  });
  const oldest = new Gauge({
    name: "parley_events_oldest_pending_seconds",
    help: "Age of the oldest waiting outbound event.",
    registers,
  });
  const fallingBehind = new Gauge({
    name: "parley_events_endpoints_falling_behind",
    help: "Event endpoints whose oldest event is late.",
    registers,
  });
  return {
    registry,
    count: (outcome) => attempts.inc({ outcome }),
    setBacklog(backlog) {
      pending.set(backlog.pending);
      oldest.set(backlog.oldestSeconds);
      fallingBehind.set(backlog.fallingBehind);
    },
  };
}
