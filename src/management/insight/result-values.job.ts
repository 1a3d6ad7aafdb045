import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { findResultsToRead, readResultValues } from "../counts/result-values.sql.ts";

/** Results whose values one statement reads: each may have a megabyte of values. */
const batch = 100;

/** Keep the index by which results are found by the values of their variables. Results of earlier releases are met like new ones. */
export function resultValues(sql: Sql): readonly CleanUp[] {
  return [
    {
      name: "new-results",
      cron: "* * * * *",
      did: "Found more than once in",
      isPatient: true,
      removeSome: async () => (await findResultsToRead(sql, "results")) + (await findResultsToRead(sql, "sessions")),
    },
    {
      name: "result-values",
      cron: "* * * * *",
      did: "Read",
      isPatient: true,
      removeSome: () => readResultValues(sql, batch),
    },
  ];
}
