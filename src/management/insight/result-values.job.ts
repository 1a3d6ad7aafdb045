import { limits } from "../../limits/index.ts";
import { readClock } from "../../platform/database/clock.sql.ts";
import { findOlderNodes } from "../../platform/database/connections.sql.ts";
import { migrations } from "../../platform/database/migrations.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { noteFoundUntil } from "../counts/count-state.sql.ts";
import {
  findResultsToRead,
  findResultsWithUnreadAnswers,
  hasUnreadAnswers,
  readResultValues,
} from "../counts/result-values.sql.ts";
import { takeDue } from "../counts/turns.sql.ts";

/** The number of the migration with which nodes began to read answers. */
const withAnswers = Number(migrations.find(({ name }) => name.endsWith("_kept_answers"))?.name.slice(0, 4));

/**
 * Creates the tasks that update the index, which finds results by the values of their variables and by answers. Results
 * of earlier releases are treated like new results.
 */
export function resultValues(sql: Sql): readonly CleanUp[] {
  return [
    {
      name: "new-results",
      cron: "* * * * *",
      did: "Found more than once in",
      isPatient: true,
      async removeSome() {
        const begun = await readClock(sql);
        const found = (await findResultsToRead(sql, "results")) + (await findResultsToRead(sql, "sessions"));
        if (found === 0) await noteFoundUntil(sql, begun);
        return found + (await findOfBefore(sql));
      },
    },
    {
      name: "result-values",
      cron: "* * * * *",
      did: "Read",
      isPatient: true,
      async removeSome() {
        const due = await takeDue(sql, "results_to_read", limits.resultValues.perRead);
        if (due.length === 0) return 0;
        return await readResultValues(sql, due);
      },
    },
  ];
}

async function findOfBefore(sql: Sql): Promise<number> {
  if (!(await hasUnreadAnswers(sql))) return 0;
  const older = await findOlderNodes(sql, withAnswers);
  return older.length > 0 ? 0 : await findResultsWithUnreadAnswers(sql);
}
