import { expect, test } from "bun:test";
import { createAnonymousLane } from "../../../src/chat/threads/turns.ts";
import { limits } from "../../../src/limits/index.ts";
import { createLeases } from "../../../src/platform/processes/leases.ts";

function openLeases() {
  const leases = createLeases<string>(createAnonymousLane());
  const told: string[] = [];
  const acquire = (holder: string, id: number) =>
    leases.acquire(holder, { id, owner: `${holder}${id}` }, (verdict) => told.push(`${holder}${id} ${verdict}`));
  /** Resolves after all pending promises have been handled. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { ...leases, acquire, told, settled };
}

test("a lease is granted to one process at a time", async () => {
  const { acquire, release, told, settled } = openLeases();
  acquire("a", 1);
  acquire("b", 1);
  acquire("a", 2);
  await settled();
  expect(told).toEqual(["a1 granted"]);

  release("a", 1);
  await settled();
  expect(told).toEqual(["a1 granted", "b1 granted"]);

  release("b", 1);
  await settled();
  expect(told).toEqual(["a1 granted", "b1 granted", "a2 granted"]);
});

test("the lease of a dead process passes to another process", async () => {
  const { acquire, gone, told, settled } = openLeases();
  acquire("a", 1);
  acquire("a", 2);
  acquire("b", 1);
  await settled();

  gone("a");
  await settled();

  expect(told).toContain("b1 granted");
});

test("lease requests above the limit of the queue are refused", async () => {
  const { acquire, release, told, settled } = openLeases();
  for (let id = 0; id <= limits.threads.anonymousPreviewQueue + 1; id++) acquire("a", id);
  await settled();
  const refused = `a${limits.threads.anonymousPreviewQueue + 1} refused`;
  expect(told).toEqual(["a0 granted", refused]);

  release("a", 0);
  await settled();
  acquire("b", 1);
  await settled();

  expect(told).toEqual(["a0 granted", refused, "a1 granted"]);
});
