import type { ProveTask, ReplayTask } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { createFairShare } from "../../platform/concurrency/fair-share.ts";
import { isKill, type Pool } from "./pool.ts";

/**
 * Runs test conversations and replays chats on a thread of their own, one run at a time; workspaces take turns. The thread has a low
 * priority and starts with the first run.
 */
export function createProver(start: () => Pool) {
  let pool: Pool | undefined;
  const turns = createFairShare({
    total: 1,
    shares: { workspace: 1 },
    maxWaiting: limits.testConversations.queue,
    maxWaitMs: limits.testConversations.waitMs,
    refuse: (data) => new AppError("server.overloaded", { data }),
  });
  const run = (task: ProveTask | ReplayTask, workspace: string): Promise<string> =>
    turns.run({ workspace }, () => {
      pool ??= start();
      return pool.runAside(task);
    });
  return {
    async prove(task: ProveTask, workspace: string): Promise<string> {
      try {
        return await run(task, workspace);
      } catch (error) {
        if (isKill(error)) throw new AppError("test_conversation.too_long", { cause: error });
        throw error;
      }
    },
    replay: (task: ReplayTask, workspace: string): Promise<string> => run(task, workspace),
  };
}
