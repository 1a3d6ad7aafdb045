import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { isStepSaved } from "../store/chat/steps.ts";
import { isOutage } from "../store/database/outage.ts";

/** The pause after each try to find out what became of a save. */
const pauseMs = 500;

type Saved = { readonly sessionId: string; readonly stepId: string; readonly revision: number };

/**
 * Saves a step or a start. A save whose connection broke is in doubt: whether the step's own row is there decides whether it
 * was saved, has to be saved again (as `again`), or came too late. Throws `server.save_in_doubt` when that cannot be found out in time;
 * effects are never repeated for it.
 */
export async function saveSurely<Row extends Saved>(
  deps: Dependencies,
  save: (row: Row) => Promise<boolean>,
  row: Row,
  again: Row = row,
): Promise<boolean> {
  const deadline = performance.now() + limits.step.doubtMs;
  let cause: unknown;
  do {
    try {
      return cause === undefined ? await save(row) : await saveAgain(deps, save, again);
    } catch (error) {
      if (!isOutage(error)) throw error;
      cause = error;
      await Bun.sleep(pauseMs);
    }
  } while (performance.now() < deadline);
  throw new AppError("server.save_in_doubt", { cause });
}

/** Who tried before may still be on its way, and come to its end before this try or in the midst of it. */
async function saveAgain<Row extends Saved>(
  { sql }: Dependencies,
  save: (row: Row) => Promise<boolean>,
  row: Row,
): Promise<boolean> {
  if (await isStepSaved(sql, row)) return true;
  try {
    if (await save(row)) return true;
  } catch (error) {
    // A start that is there already is told by its violation.
    if (isOutage(error) || !(await isStepSaved(sql, row))) throw error;
  }
  return isStepSaved(sql, row);
}
