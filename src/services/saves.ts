import { isOutage } from "../store/outage.ts";
import { type StartToSave, saveStarts } from "../store/save-starts.ts";
import { type StepToSave, saveSteps } from "../store/save-steps.ts";
import type { Sql } from "../store/sql.ts";
import { createSaveQueue, type SaveQueue } from "./save-queue.ts";

/** Where steps and starts go to be saved, in groups. */
export type Saves = { readonly steps: SaveQueue<StepToSave>; readonly starts: SaveQueue<StartToSave> };

export function createSaves(sql: Sql): Saves {
  return {
    steps: createSaveQueue({
      saveRows: (rows) => saveSteps(sql, rows),
      idOf: (row) => row.sessionId,
      isShared: isOutage,
    }),
    starts: createSaveQueue({
      saveRows: (rows) => saveStarts(sql, rows),
      idOf: (row) => row.sessionId,
      isShared: isOutage,
    }),
  };
}
