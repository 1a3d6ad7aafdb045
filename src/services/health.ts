import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { pingDatabase } from "../store/database/health.ts";

/**
 * Resolves when the database and a worker thread answer; throws `server.unavailable` when one does not in time, and
 * `server.stopping` where balancers should leave.
 */
export async function requireReady(deps: Dependencies): Promise<void> {
  if (deps.isLeaving()) throw new AppError("server.stopping");
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error("too slow")), limits.process.readinessMs);
  try {
    await Promise.race([Promise.all([pingDatabase(deps.sql), deps.threads.ping()]), timeout.promise]);
  } catch (error) {
    throw new AppError("server.unavailable", {
      message: "The database or the worker threads do not answer.",
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when all other processes of this node are ready, too: the caller's next request may reach any of them. */
export async function requireSiblingsReady({ siblings }: Dependencies): Promise<void> {
  if (!siblings) return;
  const { answers, missing } = await siblings.ask("readiness", limits.process.readinessMs);
  if (missing === 0 && answers.every((isReady) => isReady === true)) return;
  throw new AppError("server.unavailable", { message: "Not every process of this node is ready." });
}
