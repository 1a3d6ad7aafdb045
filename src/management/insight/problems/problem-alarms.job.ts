import type { Sql } from "../../../platform/database/sql.ts";
import type { CleanUp } from "../../../platform/queue/clean-up.ts";
import { raiseProblemAlarms } from "./problem-alarms.sql.ts";

/** Creates the task that notifies endpoints about bots that fail far more often than usual. */
export function problemAlarms(sql: Sql): CleanUp {
  return {
    name: "problem-alarms",
    cron: "*/5 * * * *",
    did: "Raised",
    removeSome: () => raiseProblemAlarms(sql),
  };
}
