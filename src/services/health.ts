import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { pingDatabase } from "../store/database/health.ts";

/** Resolves when the database and a worker thread answer; throws `server.unavailable` when one does not in time. */
export async function requireReady(deps: Dependencies): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("too slow")), limits.process.readinessMs);
  try {
    await Promise.race([Promise.all([pingDatabase(deps.sql), deps.threads.ping()]), late.promise]);
  } catch (error) {
    throw new AppError("server.unavailable", {
      message: "The database or the worker threads do not answer.",
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
