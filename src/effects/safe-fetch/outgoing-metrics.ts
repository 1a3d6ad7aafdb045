import type { Usage } from "../../platform/concurrency/fair-share.ts";
import { createGauges } from "../../platform/observing/gauges.ts";
import { Counter, type Registry } from "../../platform/observing/prometheus.ts";

export type OutgoingMetrics = {
  readonly registry: Registry;
  /** Starts to collect metrics of the running calls and of the memory for their responses. */
  watch(shares: { readonly calls: Watched; readonly bytes: Watched }): void;
};

type Watched = { usage(): Usage };

export function createOutgoingMetrics(): OutgoingMetrics {
  const { registry, add } = createGauges();
  return {
    registry,
    watch({ calls, bytes }) {
      add("parley_outgoing_calls", "Running outgoing calls.", () => calls.usage().held);
      add("parley_outgoing_calls_waiting", "Outgoing calls that wait for a slot.", () => calls.usage().waiting);
      add(
        "parley_outgoing_answer_bytes",
        "Memory reserved for responses that are being read.",
        () => bytes.usage().held,
      );
      add("parley_outgoing_answers_waiting", "Responses that wait for memory.", () => bytes.usage().waiting);
      new Counter({
        name: "parley_outgoing_refused_total",
        help: "Outgoing calls that failed because no slot, or no memory for their responses, was available.",
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
