import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { eraseNamedResults } from "../erasure/bin-erasure.ts";
import { findOutdatedResults } from "./result-retention.sql.ts";

/**
 * Erases results that are older than their bot keeps any, with their files and the chats that write them: at once and for good, past the bin and
 * out of it. Who sets a retention has to be rid of them; whoever wants a net deletes by hand.
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
