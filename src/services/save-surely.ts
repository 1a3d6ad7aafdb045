import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { isOutage } from "../store/outage.ts";
import { findSession } from "../store/sessions.ts";

type Saved = { readonly sessionId: string; readonly stepId: string; readonly revision: number };

/**
 * Saves a step or a start. A save whose connection broke is in doubt: what the session then says of its last step decides
 * whether it was saved, has to be saved again, or came too late. Throws `server.save_in_doubt` when that cannot be found
 * out in time; effects are never repeated for it.
 */
export async function saveSurely<Row extends Saved>(
  deps: Dependencies,
  save: (row: Row) => Promise<boolean>,
  row: Row,
): Promise<boolean> {
  let cause: unknown;
  for (let attempt = 0; attempt < limits.doubtReads; attempt++) {
    try {
      if (attempt === 0) return await save(row);
      const found = await findSession(deps.sql, row.sessionId, null);
      if (found?.lastStepId === row.stepId) return true;
      if (found !== undefined && found.revision !== row.revision) return false;
      return await save(row);
    } catch (error) {
      if (!isOutage(error)) throw error;
      cause = error;
      await Bun.sleep(limits.doubtPauseMs);
    }
  }
  throw new AppError("server.save_in_doubt", { cause });
}
