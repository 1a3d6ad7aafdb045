import type { GaugeConfiguration } from "prom-client";
import { Gauge, Registry } from "./prometheus.ts";

type Reading = number | undefined;
type Options = Pick<GaugeConfiguration<string>, "aggregator">;

/**
 * Creates gauges without labels by `add(name, help, read)`. The value is read when the registry is read. If `read`
 * returns `undefined`, the value is unknown, and the gauge is left out.
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
