import { createFairShare } from "../concurrency/fair-share.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { ProveTask } from "./messages.ts";
import { isKill, type Pool } from "./pool.ts";

/** Holds test conversations, off the threads of the visitors: one run at a time, workspaces by turns. Its thread is started for the first. */
export function createProver(start: () => Pool) {
  let pool: Pool | undefined;
  const turns = createFairShare({
    total: 1,
    shares: { workspace: 1 },
    maxWaiting: limits.testConversations.queue,
    maxWaitMs: limits.testConversations.waitMs,
    refuse: (data) => new AppError("server.overloaded", { data }),
  });
  return {
    prove: (task: ProveTask, workspace: string): Promise<string> =>
      turns.run({ workspace }, async () => {
        pool ??= start();
        try {
          return await pool.prove(task);
        } catch (error) {
          if (isKill(error)) throw new AppError("test_conversation.too_long", { cause: error });
          throw error;
        }
      }),
  };
}
