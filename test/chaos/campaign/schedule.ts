import { clockFaults } from "./faults/clock.ts";
import { connectionFaults, sqlStateFaults } from "./faults/connections.ts";
import { databaseFaults } from "./faults/database.ts";
import { deliveryFaults } from "./faults/deliveries.ts";
import { diskFaults } from "./faults/disk.ts";
import { processFaults } from "./faults/processes.ts";
import { rollingFaults } from "./faults/rolling.ts";
import { startFaults } from "./faults/starts.ts";
import type { Fault, Field } from "./field.ts";

export const allFaults: readonly Fault[] = [
  ...processFaults,
  ...startFaults,
  ...deliveryFaults,
  ...databaseFaults,
  ...connectionFaults,
  ...sqlStateFaults,
  ...diskFaults,
  ...clockFaults,
  ...rollingFaults,
];

/** Faults of nodes that occur while as many events as possible are waiting or in transit. */
export const eventFaults: readonly Fault[] = [
  ...deliveryFaults,
  ...processFaults.filter(({ name }) => /of a node|of a supervisor|of a serving process|stands still/.test(name)),
];

/**
 * Yields faults endlessly, in an order that the seed decides. Each possible fault comes once before any is repeated,
 * and faults of greater weight tend to come earlier.
 */
export function* scheduleOf(faults: readonly Fault[], field: Field): Generator<Fault, never> {
  const possible = faults.filter((fault) => !fault.isMissing?.(field));
  if (possible.length === 0) throw new Error("None of these faults can happen here");
  for (;;) {
    const keyed = possible.map((fault) => ({ fault, key: field.random() ** (1 / (fault.weight ?? 1)) }));
    for (const { fault } of keyed.toSorted((a, b) => b.key - a.key)) yield fault;
  }
}
