import { openDataFolder } from "../../src/embedded/folders.ts";
import { readyPid } from "../../src/embedded/leftover.ts";
import { startServer } from "../../src/embedded/server.ts";
import { createLog } from "../../src/log.ts";
import { waitFor } from "../support/wait.ts";

export type ChaosDatabase = {
  readonly url: string;
  /** Lets it die, and come back. */
  die(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A database that keeps what it says it has: with fsync, as in production. It dies as `pg_ctl stop -m immediate` ends it, or as
 * the signal says, and its keeper starts it again.
 */
export type RestartingDatabase = ChaosDatabase & {
  /** Where its files lie. */
  readonly data: string;
  die(signal?: "SIGQUIT" | "SIGINT"): Promise<void>;
};

const connections = 100;

export async function openRestarting(path: string): Promise<RestartingDatabase> {
  const folders = openDataFolder(path);
  const server = await startServer({
    folders,
    connections,
    log: createLog("silent"),
    onLost: (error) => {
      throw error;
    },
  });
  return {
    ...server,
    data: folders.data,
    async die(signal: "SIGQUIT" | "SIGINT" = "SIGQUIT") {
      const pid = readyPid(folders.data);
      if (pid === undefined) throw new Error("The database does not run");
      process.kill(pid, signal);
      await waitFor(() => ![undefined, pid].includes(readyPid(folders.data)), {
        withinMs: 60_000,
        what: "the database to be back",
      });
    },
  };
}
