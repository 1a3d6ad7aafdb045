import type { GaugeConfiguration } from "prom-client";
import { Gauge, Registry } from "./prometheus.ts";

type Reading = number | undefined;
type Options = Pick<GaugeConfiguration<string>, "aggregator">;

/**
 * Returns a registry and a function `add(name, help, read)` that adds a gauge without labels. `read` is called when the
 * registry is read. If it returns `undefined`, the value is unknown, and the gauge is left out.
 */
export function createGauges() {
  const registry = new Registry();
  return {
    registry,
    add(name: string, help: string, read: () => Reading | Promise<Reading>, options: Options = {}): void {
      new Gauge({
        ...{ name, help, ...options, registers: [registry] },
        async collect() {
          const value = await read();
          // `reset` would show 0 for an unknown value.
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
    },
  };
}
