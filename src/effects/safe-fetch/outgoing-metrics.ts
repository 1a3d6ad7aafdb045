import { Counter, type Registry } from "prom-client";
import type { Usage } from "../../platform/concurrency/fair-share.ts";
import { createGauges } from "../../platform/observing/gauges.ts";

/** The metrics of outgoing calls. */
export type OutgoingMetrics = {
  readonly registry: Registry;
  /** Starts the metrics of these calls. */
  watch(shares: { readonly calls: Watched; readonly bytes: Watched }): void;
};

type Watched = { usage(): Usage };

export function createOutgoingMetrics(): OutgoingMetrics {
  const { registry, add } = createGauges();
  return {
    registry,
    watch({ calls, bytes }) {
      add("parley_outgoing_calls", "Outgoing calls under way.", () => calls.usage().held);
      add("parley_outgoing_calls_waiting", "Outgoing calls that wait for others to end.", () => calls.usage().waiting);
      add("parley_outgoing_answer_bytes", "Memory that answers under way may take.", () => bytes.usage().held);
      add(
        "parley_outgoing_answers_waiting",
        "Answers that are read on when others have been.",
        () => bytes.usage().waiting,
      );
      new Counter({
        name: "parley_outgoing_refused_total",
        help: "Outgoing calls that failed since there was no room for them, or for their answers.",
        labelNames: ["what"],
        registers: [registry],
        collect() {
          this.reset();
          for (const [what, { usage }] of Object.entries({ calls, bytes })) this.inc({ what }, usage().refused);
        },
      });
    },
  };
}
