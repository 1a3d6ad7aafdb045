import type { GaugeConfiguration } from "prom-client";
import { Gauge, Registry } from "./prometheus.ts";

type Reading = number | undefined;
type Options = Pick<GaugeConfiguration<string>, "aggregator">;

/**
 * Gauges without labels that are read when their registry is: `add(name, help, read)`. A gauge that reads `undefined`
 * keeps its last value.
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
          if (value !== undefined) this.set(value);
        },
      });
    },
  };
}
