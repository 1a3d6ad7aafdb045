import { LRUCache } from "lru-cache";
import { limits } from "../../limits/index.ts";
import { createFairShare, type FairShare, type Usage } from "../../platform/concurrency/fair-share.ts";

/**
 * The maximum number of units in flight to a shared thread, including the running step. A unit is a millisecond that a
 * step is expected to take.
 */
const unitsPerThread = 48;

/** The share of a workspace without competitors: two batches of small steps in flight to each thread. */
const workspaceShare = 2 / 3;

/** The milliseconds that a step is expected to take if its bot has no measurements. */
const firstUnits = 8;

const maxBots = 10_000;

/** The weight of the last step in the expected duration of the next step. */
const newestWeight = 0.2;

/**
 * The number of slow threads. A workspace may use half of them, so that slow steps of another workspace find a free
 * thread.
 */
export const slowThreads = 2;

/** Decides which step runs next on the threads. */
export type Turns = {
  /**
   * Runs a step on a shared thread when its workspace has room for the step. Workspaces share threads by the time that
   * their steps take. A step therefore waits at most a few milliseconds for other workspaces, regardless of the number
   * and length of their steps.
   */
  onShared<T>(workspace: string, botId: string, task: () => Promise<T>): Promise<T>;
  /** Runs a task on the slow threads, one step per workspace at a time. */
  onSlow<T>(workspace: string, task: () => Promise<T>): Promise<T>;
  /** Records the time that a step of the bot took on a thread. */
  note(botId: string, busyMs: number): void;
  usages(): { readonly shared: Usage; readonly slow: Usage };
};

export function createTurns({ threads, queue }: { threads: number; queue: number }): Turns {
  const expected = new LRUCache<string, number>({ max: maxBots });
  const maxWaitMs = limits.threads.waitMs;
  const maxWaiting = limits.threads.runawayQueue;
  const total = threads * unitsPerThread;
  /**
   * The maximum number of units for one step. It leaves room for one of the longest steps on each thread at the same
   * time.
   */
  const mostUnits = Math.floor((workspaceShare * total) / threads);
  const shared = createFairShare({ maxWaitMs, total, shares: { workspace: workspaceShare }, maxWaiting: queue });
  const ofOne = { workspace: 1 / slowThreads };
  const slow = createFairShare({ maxWaitMs, total: slowThreads, shares: ofOne, maxWaiting });
  const unitsOf = (botId: string): number =>
    Math.min(mostUnits, Math.max(1, Math.round(expected.get(botId) ?? firstUnits)));
  return {
    onShared: (workspace, botId, task) => shared.run({ workspace }, task, unitsOf(botId)),
    onSlow: (workspace, task) => slow.run({ workspace }, task),
    note(botId, busyMs) {
      const before = expected.get(botId) ?? busyMs;
      expected.set(botId, before + (busyMs - before) * newestWeight);
    },
    usages: () => ({ shared: shared.usage(), slow: slow.usage() }),
  };
}

/** Limits anonymous previews. One preview runs at a time, and visitors take turns. */
export type AnonymousLane = {
  /** `visitor` is the client address, or the preview itself if the address is unknown. */
  run<T>(visitor: string, task: () => Promise<T>): Promise<T>;
};

/** Creates a lane of anonymous previews. */
export function createAnonymousLane(): AnonymousLane & Pick<FairShare<"visitor">, "usage"> {
  const lane = createFairShare({
    total: 1,
    shares: { visitor: 1 / 2 },
    maxWaiting: limits.threads.anonymousPreviewQueue,
    maxWaitMs: limits.threads.waitMs,
  });
  return { run: (visitor, task) => lane.run({ visitor }, task), usage: lane.usage };
}
