import { ThreadLost } from "../../core/interpreter/step-errors.ts";
import type { AddressTask, BodyTask } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { createFairShare } from "../../platform/concurrency/fair-share.ts";
import { isKill, type Pool } from "./pool.ts";

/**
 * Reads large bodies on a thread of its own, one at a time; callers take turns. The thread has a low priority and starts with the first body.
 *
 * Time on the serving thread for reading a flow there and here, including parsing the answer and taking its parts (Bun 1.4.4, two
 * busy cores): 64 kB 0.5 and 1.4 ms, 127 kB 1.3 and 1.9, 253 kB 3.9 and 2.5, 507 kB 5.9 and 2.5, 2.4 MB 34 and 14 ms. A body of 600,000 different
 * keys (7.2 MB): 400 to 1,100 ms there; 0 ms here, where it is refused.
 */
export function createReader(start: () => Pool) {
  let pool: Pool | undefined;
  const turns = createFairShare({
    total: 1,
    shares: { caller: 1 },
    maxWaiting: limits.request.bodiesWaiting,
    maxWaitMs: limits.request.bodyWaitMs,
    refuse: (data) => new AppError("server.overloaded", { data }),
  });
  return async (task: BodyTask | AddressTask, caller: string): Promise<string> => {
    try {
      return await turns.run({ caller }, () => {
        pool ??= start();
        return pool.runAside(task);
      });
    } catch (error) {
      if (isKill(error) || error instanceof ThreadLost) throw new AppError("server.overloaded", { cause: error });
      throw error;
    }
  };
}
