import { LRUCache } from "lru-cache";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { createFairShare, type FairShare, type Usage } from "../../platform/concurrency/fair-share.ts";

/** Units of a shared thread: milliseconds that steps are expected to take there. So many are on their way to it, the one that runs included. */
const unitsPerThread = 48;

/** What one alone may have: two batches of small steps on their way to each thread. */
const workspaceShare = 2 / 3;

/** A bot of which nothing is known yet. */
const firstUnits = 8;

const maxBots = 10_000;

/** How much the last step counts in what is expected of the next. */
const newestWeight = 0.2;

/** Slow threads: one workspace alone has half of them, so that another one's slow steps find one free. */
export const slowThreads = 2;

/** Whose turn it is on the threads. */
export type Turns = {
  /**
   * Runs a step on a shared thread when its workspace has room for it: among workspaces by what their steps take, so that a
   * step waits behind some milliseconds of others, however many they send and however long each takes.
   */
  onShared<T>(workspace: string, botId: string, task: () => Promise<T>): Promise<T>;
  /** The same for the slow threads, one step of a workspace at a time. */
  onSlow<T>(workspace: string, task: () => Promise<T>): Promise<T>;
  /** What a step of the bot took of a thread. */
  note(botId: string, busyMs: number): void;
  usages(): { readonly shared: Usage; readonly slow: Usage };
};

export function createTurns({ threads, queue }: { threads: number; queue: number }): Turns {
  const expected = new LRUCache<string, number>({ max: maxBots });
  const waits = {
    maxWaitMs: limits.threads.waitMs,
    refuse: (data: { waiting: number } | { waitedMs: number }) => new AppError("server.overloaded", { data }),
  };
  const total = threads * unitsPerThread;
  /** As many that take longest as there are threads. */
  const mostUnits = Math.floor((workspaceShare * total) / threads);
  const shared = createFairShare({ ...waits, total, shares: { workspace: workspaceShare }, maxWaiting: queue });
  const slow = createFairShare({
    ...waits,
    total: slowThreads,
    shares: { workspace: 1 / slowThreads },
    maxWaiting: limits.threads.runawayQueue,
  });
  const unitsOf = (botId: string): number =>
    Math.min(mostUnits, Math.max(1, Math.round(expected.get(botId) ?? firstUnits)));
  return {
    async onShared(workspace, botId, task) {
      const release = await shared.acquire({ workspace }, unitsOf(botId));
      try {
        return await task();
      } finally {
        release();
      }
    },
    onSlow: (workspace, task) => slow.run({ workspace }, task),
    note(botId, busyMs) {
      const before = expected.get(botId) ?? busyMs;
      expected.set(botId, before + (busyMs - before) * newestWeight);
    },
    usages: () => ({ shared: shared.usage(), slow: slow.usage() }),
  };
}

/** Who may run a preview without a token: one at a time, and whoever sends many waits behind itself. */
export type AnonymousLane = {
  /** `visitor` is the address, or the preview itself where that is not known. */
  run<T>(visitor: string, task: () => Promise<T>): Promise<T>;
};

/** The lane of a node. */
export function createAnonymousLane(): AnonymousLane & Pick<FairShare<"visitor">, "usage"> {
  const lane = createFairShare({
    total: 1,
    shares: { visitor: 1 / 2 },
    maxWaiting: limits.threads.anonymousPreviewQueue,
    maxWaitMs: limits.threads.waitMs,
    refuse: (data) => new AppError("server.overloaded", { data }),
  });
  return { run: (visitor, task) => lane.run({ visitor }, task), usage: lane.usage };
}
