import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, pause } from "../../platform/concurrency/clock.ts";
import { isOutage, outageOf } from "../../platform/database/primary/outage.ts";

/** The pause before the next attempt to find out whether a save succeeded. */
const pauseMs = 500;

type Statements = {
  /** Whether the step was saved; false when another step was saved first. `isInDoubt`: an earlier attempt may have saved it. */
  save(options: { isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row exists. */
  isSaved(): Promise<boolean>;
};

/**
 * Saves a step. A broken connection leaves it in doubt whether the save succeeded; the step's own row decides:
 *
 *     saving ─ answered ─────────────────→ saved, or false: another step was first
 *     saving ─ the connection broke ─────→ in doubt
 *     saving ─ the database refused it ──→ thrown: nothing was saved; or refused, when effects were performed
 *     refused ───────────────────────────→ saving once more, after a pause; finally thrown
 *     in doubt ─ the row exists ─────────→ saved
 *     in doubt ─ it does not ────────────→ saving once more, and then reading the row again
 *     in doubt ─ still no connection ────→ in doubt, after a pause; finally thrown: `server.save_in_doubt`
 *
 * A retry never repeats effects. For the same reason, a step with effects is not given up at the first refusal.
 */
export async function saveOnce(
  clock: Clock,
  statements: Statements,
  { hasEffects }: { hasEffects: boolean },
): Promise<boolean> {
  const deadline = clock.now() + limits.step.doubtMs;
  let cause: unknown;
  let isInDoubt = false;
  do {
    try {
      return cause === undefined ? await statements.save({ isInDoubt }) : await saveAgain(statements);
    } catch (error) {
      const outage = outageOf(error);
      isInDoubt ||= outage?.kind === "lost";
      if (!outage || !(isInDoubt || hasEffects)) throw error;
      cause = error;
      await pause(clock, pauseMs);
    }
  } while (clock.now() < deadline);
  throw isInDoubt ? new AppError("server.save_in_doubt", { cause }) : cause;
}

/** An earlier attempt may still be running in the database and commit before or during this one. */
async function saveAgain({ save, isSaved }: Statements): Promise<boolean> {
  if (await isSaved()) return true;
  try {
    if (await save({ isInDoubt: true })) return true;
  } catch (error) {
    // A start that was saved already violates its primary key.
    if (isOutage(error) || !(await isSaved())) throw error;
  }
  return isSaved();
}
