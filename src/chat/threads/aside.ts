import { ThreadLost } from "../../core/interpreter/step-errors.ts";
import type { AddressTask, BodyTask, ProveTask, ReplayTask } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { createFairShare } from "../../platform/concurrency/fair-share.ts";
import { type AsideTask, isKill, type Pool } from "./pool.ts";

/**
 * Runs one task at a time on a separate thread with a low priority. The thread starts with the first task. Callers with
 * different sharers take turns.
 */
function createAside(start: () => Pool, line: { maxWaiting: number; maxWaitMs: number }) {
  let pool: Pool | undefined;
  const turns = createFairShare({ ...line, total: 1, shares: { sharer: 1 } });
  return (task: AsideTask, sharer: string): Promise<string> =>
    turns.run({ sharer }, () => {
      pool ??= start();
      return pool.runAside(task);
    });
}

/** Runs test conversations and replays chats. Workspaces take turns. */
export function createProver(start: () => Pool) {
  const run = createAside(start, {
    maxWaiting: limits.testConversations.queue,
    maxWaitMs: limits.testConversations.waitMs,
  });
  return {
    prove: (task: ProveTask, workspace: string): Promise<string> =>
      run(task, workspace).catch((error: unknown) => {
        throw isKill(error) ? new AppError("test_conversation.too_long", { cause: error }) : error;
      }),
    replay: (task: ReplayTask, workspace: string): Promise<string> => run(task, workspace),
  };
}

/**
 * Reads large bodies. Callers take turns.
 *
 * The list shows how long a flow occupies the serving thread: first if the serving thread reads the flow itself, then
 * if this thread reads it (including parsing the result and extracting its parts). Measured with Bun 1.4.4 and two busy
 * cores.
 *
 * - 64 kB: 0.5 and 1.4 ms
 * - 127 kB: 1.3 and 1.9 ms
 * - 253 kB: 3.9 and 2.5 ms
 * - 507 kB: 5.9 and 2.5 ms
 * - 2.4 MB: 34 and 14 ms
 * - 7.2 MB with 600,000 different keys: 400 to 1,100 ms, and 0 ms, because this thread rejects the body
 */
export function createReader(start: () => Pool) {
  const run = createAside(start, { maxWaiting: limits.request.bodiesWaiting, maxWaitMs: limits.request.bodyWaitMs });
  return (task: BodyTask | AddressTask, caller: string): Promise<string> =>
    run(task, caller).catch((error: unknown) => {
      const isLost = isKill(error) || error instanceof ThreadLost;
      throw isLost ? new AppError("server.overloaded", { cause: error }) : error;
    });
}
