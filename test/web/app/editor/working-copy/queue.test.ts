import { expect, test } from "bun:test";
import { createQueue } from "../../../../../src/web/app/editor/working-copy/queue.ts";
import { createVirtualClock } from "../../../../support/virtual-clock.ts";

test("the queue retries after the time that the service requests", async () => {
  const waits: number[] = [];
  for (const retryAfterMs of [20_000, 100]) {
    const clock = createVirtualClock();
    const queue = createQueue({
      ...{ clock, chance: () => 0.5, isShared: () => false, hasMore: () => true, onState: () => {} },
      send: async () => ({ kind: "lost", retryAfterMs }),
    });
    void queue.flush();
    await clock.settle();
    const state = queue.state();
    if (state.kind === "retrying") waits.push(state.at - clock.now());
  }

  expect(waits).toEqual([20_000, 1_000]);
});
