import type { Road } from "../../concurrency/statement-gate.ts";
import { isOutage } from "../database/outage.ts";
import type { Sql } from "../database/sql.ts";
import type { StartToSave, StepToSave } from "./records.ts";
import { createSaveQueue, type SaveQueue } from "./save-queue.ts";
import { saveStarts } from "./save-starts.ts";
import { saveSteps } from "./save-steps.ts";

/** Where steps and starts go to be saved, in groups. */
export type Saves = { readonly steps: SaveQueue<StepToSave>; readonly starts: SaveQueue<StartToSave> };

/** `onJobs` is called after a save that may have left jobs behind. */
export function createSaves(
  sql: Sql,
  { onJobs, road }: { onJobs?: (() => void) | undefined; road?: Road } = {},
): Saves {
  const tellingJobs = async <Row extends StepToSave>(rows: readonly Row[], saved: Promise<Set<string>>) => {
    const ids = await saved;
    if (rows.some(({ jobs }) => jobs.length > 0)) onJobs?.();
    return ids;
  };
  return {
    steps: createSaveQueue({
      saveRows: (rows) => tellingJobs(rows, saveSteps(sql, rows)),
      idOf: (row) => row.sessionId,
      isShared: isOutage,
      ...(road && { road }),
    }),
    starts: createSaveQueue({
      saveRows: (rows) => tellingJobs(rows, saveStarts(sql, rows)),
      idOf: (row) => row.sessionId,
      isShared: isOutage,
      ...(road && { road }),
    }),
  };
}
