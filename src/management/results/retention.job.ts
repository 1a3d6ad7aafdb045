import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { eraseNamedResults } from "../row-erasure/bin-erasure.ts";
import { findOutdatedResults } from "./result-retention.sql.ts";

/**
 * Erases results that are older than their bot's retention, with their files and the chats that write them, at once and
 * irreversibly, including those in the bin. A retention is a duty to delete, so these results do not go to the bin;
 * only results that people delete do.
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
