import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { deleteForgottenFlows, type FlowPlace, findForgottenFlows } from "./clean-up.sql.ts";

/**
 * Creates the task that deletes flows that no publication and no session needs. Most of these flows are drafts that
 * were previewed.
 */
export function forgottenFlows(sql: Sql): CleanUp {
  return {
    name: "forgotten-flows",
    cron: "20 3 * * *",
    async removeSome() {
      // Each call starts at the first flow again, so it skips pages that contain no flow to delete.
      for (let after: FlowPlace | undefined; ; ) {
        const { forgotten, last } = await findForgottenFlows(sql, { after, limit: limits.cleanUp.batch });
        const removed = forgotten.length === 0 ? 0 : await deleteForgottenFlows(sql, forgotten);
        if (removed > 0 || !last) return removed;
        after = last;
      }
    },
  };
}
