import { limits } from "../../limits.ts";
import { eraseNamedResults } from "../../store/bin/erasure.ts";
import type { Sql } from "../../store/database/sql.ts";
import { findOutdatedResults } from "../../store/result-retention.ts";
import type { CleanUp } from "./clean-up.ts";

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
