import { pause } from "../concurrency/clock.ts";
import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { isStepSaved } from "../store/chat/steps.ts";
import { isOutage } from "../store/database/outage.ts";

/** Between two tries to find out what became of a save. */
const pauseMs = 500;

type Step = { readonly sessionId: string; readonly stepId: string; readonly revision: number };

type Save = (options: { isInDoubt: boolean }) => Promise<boolean>;

/**
 * Saves a step. When its connection breaks, whether it was saved is in doubt; the step's own row decides:
 *
 *     saving ─ answered ─────────────────→ saved, or false: somebody else was first
 *     saving ─ the connection broke ─────→ in doubt
 *     in doubt ─ the row is there ───────→ saved
 *     in doubt ─ it is not ──────────────→ saving once more, and then its row is asked for again
 *     in doubt ─ still no connection ────→ in doubt, after a pause; in the end thrown: `server.save_in_doubt`
 *
 * Effects are never repeated for it.
 */
export async function saveOnce(deps: Dependencies, step: Step, save: Save): Promise<boolean> {
  const deadline = deps.clock.now() + limits.step.doubtMs;
  let cause: unknown;
  do {
    try {
      return cause === undefined ? await save({ isInDoubt: false }) : await saveAgain(deps, step, save);
    } catch (error) {
      if (!isOutage(error)) throw error;
      cause = error;
      await pause(deps.clock, pauseMs);
    }
  } while (deps.clock.now() < deadline);
  throw new AppError("server.save_in_doubt", { cause });
}

/** An earlier try may still be on its way, and be done before this one or in the midst of it. */
async function saveAgain({ sql }: Dependencies, step: Step, save: Save): Promise<boolean> {
  if (await isStepSaved(sql, step)) return true;
  try {
    if (await save({ isInDoubt: true })) return true;
  } catch (error) {
    // A start that is there already violates its key.
    if (isOutage(error) || !(await isStepSaved(sql, step))) throw error;
  }
  return isStepSaved(sql, step);
}
