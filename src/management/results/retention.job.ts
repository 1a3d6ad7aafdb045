import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { eraseNamedResults } from "../row-erasure/bin-erasure.ts";
import { findOutdatedResults } from "./result-retention.sql.ts";

/**
 * Creates the task that permanently erases results that are older than their bot's retention, with their files and
 * chats. Such results do not move to the bin, because a retention is a duty to delete. Results that are already in the
 * bin are erased too.
 */
export function retention(sql: Sql): CleanUp {
  return {
    name: "retention",
    cron: "5 * * * *",
    did: "Erased",
    async removeSome() {
      const outdated = await findOutdatedResults(sql, limits.erasure.batch);
      return outdated ? eraseNamedResults(sql, outdated) : 0;
    },
  };
}
