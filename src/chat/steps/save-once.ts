import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, pause } from "../../platform/concurrency/clock.ts";
import { isOutage, outageOf } from "../../platform/database/primary/outage.ts";

/** Between two tries to find out what became of a save. */
const pauseMs = 500;

type Statements = {
  /** Whether the step was saved; false when somebody else was first. `isInDoubt`: an earlier try may have saved it. */
  save(options: { isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row is there. */
  isSaved(): Promise<boolean>;
};

/**
 * Saves a step. When the connection breaks, whether it was saved is in doubt; the step's own row decides:
 *
 *     saving ─ answered ─────────────────→ saved, or false: somebody else was first
 *     saving ─ the connection broke ─────→ in doubt
 *     saving ─ the database refused it ──→ thrown: nothing was saved; or refused, when effects were performed
 *     refused ───────────────────────────→ saving once more, after a pause; in the end thrown
 *     in doubt ─ the row is there ───────→ saved
 *     in doubt ─ it is not ──────────────→ saving once more, and then its row is asked for again
 *     in doubt ─ still no connection ────→ in doubt, after a pause; in the end thrown: `server.save_in_doubt`
 *
 * Effects are never repeated for it: a step that would lose theirs is not given up at the first refusal.
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

/** An earlier try may still be on its way, and be done before this one or in the midst of it. */
async function saveAgain({ save, isSaved }: Statements): Promise<boolean> {
  if (await isSaved()) return true;
  try {
    if (await save({ isInDoubt: true })) return true;
  } catch (error) {
    // A start that is there already violates its key.
    if (isOutage(error) || !(await isSaved())) throw error;
  }
  return isSaved();
}
