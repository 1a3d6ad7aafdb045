import { type Clock, pause, systemClock } from "../../concurrency/clock.ts";
import { limits } from "../../limits.ts";
import type { Sql } from "./sql.ts";

/** SQLSTATE of a server that starts up or recovers. */
const startingUp = "57P03";
const pollMs = 250;

/** Resolves when the database answers. */
export async function pingDatabase(sql: Sql): Promise<void> {
  await sql`select 1`;
}

/**
 * Resolves when a database that is starting up has started; `onWait` is called once when it has to be waited for. Rejects as the
 * database does when it takes too long, and at once for any other reason.
 */
export async function untilStarted(sql: Sql, onWait: () => void, clock: Clock = systemClock): Promise<void> {
  const deadline = clock.now() + limits.database.startMs;
  for (let tries = 0; ; tries++) {
    try {
      return await pingDatabase(sql);
    } catch (error) {
      const isStarting = error instanceof Error && "code" in error && error.code === startingUp;
      if (!isStarting || clock.now() >= deadline) throw error;
      if (tries === 0) onWait();
      await pause(clock, pollMs);
    }
  }
}
