import { type Batcher, createBatcher } from "../platform/concurrency/batcher.ts";
import type { Clock } from "../platform/concurrency/clock.ts";
import { maySucceedAlone } from "../platform/database/primary/outage.ts";

/** The maximum number of contacts per statement. */
const maxBatch = 50;
/** A second statement can run while the first waits for a lock. */
const inFlight = 2;
const maxWaiting = 10_000;

/**
 * Batches the statements of contacts, across all connections: contacts that become ready while a statement is running
 * share the next statement. If a statement fails and its contacts may succeed alone, each contact is retried alone,
 * once. After a lost connection, no contact is retried.
 */
export function sharedStatements<Item, Answer>(
  clock: Clock,
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Batcher<Item, Answer> {
  const isTriedAlone = (error: unknown, failedAlone: number) => failedAlone === 0 && maySucceedAlone(error);
  return createBatcher({ run, isTriedAlone, maxBatch, inFlight, maxWaiting, clock });
}
