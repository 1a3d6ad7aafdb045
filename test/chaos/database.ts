import { mkdirSync, mkdtempSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../src/platform/embedded/folders.ts";
import { readyPid } from "../../src/platform/embedded/leftover.ts";
import { startServer } from "../../src/platform/embedded/server.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { waitFor } from "../support/wait.ts";

export type ChaosDatabase = {
  readonly url: string;
  /** Causes an outage, after which the database accepts writes again. */
  die(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A database with fsync, as in production, so that committed data survive. It stops like `pg_ctl stop -m immediate` or
 * by the given signal, and is then started again.
 */
export type RestartingDatabase = ChaosDatabase & {
  /** The folder of the database's files. */
  readonly data: string;
  /** The root of the small volume with the files, or undefined without a volume. */
  readonly volume?: string;
  die(signal?: "SIGQUIT" | "SIGINT"): Promise<void>;
};

const connections = 100;
const volumeMegabytes = 1_024;

/** Returns why no volume can be created on this machine, or undefined if volumes are supported. */
export function volumeIsMissing(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root can mount a volume";
  const folder = mkdtempSync(join(tmpdir(), "parley-volume-"));
  const { exitCode, stderr } = mount(folder, 1);
  if (exitCode === 0) unmount(folder);
  rmdirSync(folder);
  return exitCode === 0 ? undefined : `no volume can be mounted: ${stderr.toString().trim()}`;
}

/** Opens a restarting database whose data is on a small volume and whose write-ahead log is on another. */
export async function openOnVolume(path: string): Promise<RestartingDatabase> {
  const volume = join(path, "volume");
  mkdirSync(volume, { recursive: true });
  const { exitCode, stderr } = mount(volume, volumeMegabytes);
  if (exitCode !== 0) throw new Error(`No volume can be mounted: ${stderr.toString()}`);
  try {
    // The server is started once so that its log exists and can be moved to another volume.
    const made = await openRestarting(volume);
    await made.stop();
    const log = join(made.data, "pg_wal");
    Bun.spawnSync(["cp", "-a", log, join(path, "log")]);
    rmSync(log, { recursive: true });
    symlinkSync(join(path, "log"), log);
    const database = await openRestarting(volume);
    const stop = async (): Promise<void> => {
      await database.stop();
      unmount(volume);
    };
    return { ...database, volume, stop };
  } catch (error) {
    unmount(volume);
    throw error;
  }
}

function mount(folder: string, megabytes: number) {
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "parley-chaos", folder]);
}

/** Unmounts even while a process still has a file open. */
function unmount(folder: string): void {
  Bun.spawnSync(["umount", "--lazy", folder]);
}

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
