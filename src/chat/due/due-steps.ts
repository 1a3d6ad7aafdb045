import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { createFairShare } from "../../platform/concurrency/fair-share.ts";
import { startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { newId } from "../../platform/ids.ts";
import { shortId } from "../../platform/observing/log.ts";
import type { Registry } from "../../platform/observing/prometheus.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { createDueMetrics } from "./due-metrics.ts";
import { type DueRow, leaseDueSteps, postponeDueStep, renewDueSteps } from "./due-steps.sql.ts";
import { takeDueStep } from "./take-due-step.ts";

/** Runs due steps without a request. Each serving process has one instance. */
export type DueSteps = {
  /** Called when steps may be due. */
  wake(): void;
  /** Called when a step may be due in this many milliseconds. */
  wakeIn(ms: number): void;
  readonly registry: Registry;
  /** Stops leasing rows, and waits for the running steps. */
  stop(): Promise<void>;
};

/** Steps that are due later than this are found by the node's regular poll. */
const ownWaitMs = 10_000;
/** Time limits that expire within this time share a timer. */
const momentMs = 100;

/**
 * Starts the loop that runs due steps. The states of a row:
 *
 *     waiting ─ the row is due, and a process takes a batch ─────→ leased; the process renews the lease while it lives
 *     leased ─ the step was saved, which deletes the row ────────→ (gone)
 *     leased ─ the chat no longer waits for the row ─────────────→ (gone)
 *     leased ─ the chat has not reached the row's block yet ─────→ waiting, for a second
 *     leased ─ a provider was called, but is unreachable ────────→ waiting, for a while
 *     leased ─ the step failed ──────────────────────────────────→ waiting, after a pause that doubles each time
 *     leased ─ the row was due more than a day ago ──────────────→ (gone), with an entry in the result's log
 *     leased ─ the process died, and the lease expires ──────────→ waiting
 *
 * If two processes lease the same row, the step's revision check allows only one of them to save.
 */
export function startDueSteps(deps: ChatDependencies): DueSteps {
  const { sql, clock, log } = deps;
  const batch = limits.timers.batch;
  const leaseSeconds = limits.timers.leaseSeconds;
  const holder = newId();
  const metrics = createDueMetrics();
  const held = new Map<string, DueRow>();
  const moments = new Set<number>();
  let onRoom = (): void => {};
  // A single workspace uses at most two thirds of the slots, so that others are not blocked.
  const places = createFairShare({
    total: limits.timers.atOnce,
    shares: { workspace: 2 / 3 },
    // A workspace may also have two thirds of the waiting rows, so that a whole batch from one workspace is not
    // rejected.
    maxWaiting: 2 * batch,
    maxWaitMs: limits.step.effectsMs,
    clock,
  });

  let nextBeginAt = clock.now();
  /**
   * Thousands of steps may be due at the same time. They start one after another, so that visitors' steps can run in
   * between.
   */
  const turn = async (): Promise<void> => {
    const now = clock.now();
    const beginAt = Math.max(nextBeginAt, now);
    nextBeginAt = beginAt + limits.timers.gapMs;
    if (beginAt > now) await pause(clock, beginAt - now);
  };

  const wakeIn = (ms: number): void => {
    if (ms > ownWaitMs) return;
    const moment = Math.ceil((clock.now() + ms) / momentMs);
    if (moments.has(moment)) return;
    moments.add(moment);
    clock.startTimer(Math.max(0, moment * momentMs - clock.now()), () => {
      moments.delete(moment);
      loop.wake();
    });
  };
  const handle = async (row: DueRow): Promise<void> => {
    try {
      const owner = { workspace: row.workspaceId ?? row.botId };
      const { outcome, againSeconds } = await places.run(owner, () => turn().then(() => takeDueStep(deps, row)));
      metrics.count(row.kind, outcome);
      if (againSeconds === undefined) return;
      await postponeDueStep(sql, row, { holder, seconds: againSeconds });
      wakeIn(1_000 * againSeconds);
    } catch (error) {
      metrics.count(row.kind, "failed");
      if (isOutage(error)) deps.outage.failed(error);
      else if (!(error instanceof AppError)) log.error("a due step failed", { error, session: shortId(row.sessionId) });
      const seconds = pauseSeconds(row.attempts);
      await postponeDueStep(sql, row, { holder, seconds }).catch(deps.outage.failed);
    }
  };
  const start = (row: DueRow): void => {
    held.set(row.id, row);
    void handle(row).finally(() => {
      held.delete(row.id);
      if (held.size <= batch / 2) onRoom();
    });
  };
  const room = (): Promise<void> =>
    new Promise((resolve) => {
      onRoom = resolve;
      if (held.size <= batch / 2) resolve();
    });
  const loop = startPollLoop({
    clock,
    onFailure: deps.outage.failed,
    async run(signal) {
      for (;;) {
        await room();
        if (signal.aborted) return;
        const limit = batch - held.size;
        const rows = await leaseDueSteps(sql, { holder, seconds: leaseSeconds, limit });
        for (const row of rows) start(row);
        if (rows.length < limit) return;
      }
    },
  });
  const renewals = startPollLoop({
    clock,
    everyMs: (leaseSeconds * 1_000) / 3,
    startsWaiting: true,
    onFailure: deps.outage.failed,
    async run() {
      if (held.size > 0) await renewDueSteps(sql, [...held.values()], { holder, seconds: leaseSeconds });
    },
  });
  return {
    wake: loop.wake,
    wakeIn,
    registry: metrics.registry,
    async stop() {
      await loop.stop();
      while (held.size > 0) await new Promise<void>((resolve) => (onRoom = resolve));
      await renewals.stop();
    },
  };
}

/** Returns a pause of 1, 2, 4 … seconds, at most five minutes. */
function pauseSeconds(attempts: number): number {
  const doubled = limits.timers.firstPauseSeconds * 2 ** Math.min(attempts - 1, 20);
  return Math.min(limits.timers.lastPauseSeconds, doubled);
}
