import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../config.ts";
import { codeOf } from "../thrown.ts";

/**
 * A fast shutdown first writes a checkpoint. If it takes longer, an immediate shutdown follows, which loses no data but
 * makes the next start slower.
 */
const fastStopMs = 30_000;
const immediateStopMs = 10_000;
const pollMs = 20;

/**
 * Stops a database that a killed service left running in this folder. The caller must hold the folder's lock, so no
 * other service uses the database. Throws a StartError if the database does not stop.
 */
export async function stopLeftover(dataFolder: string): Promise<void> {
  const pid = readPostmasterPid(dataFolder);
  if (pid === undefined || !isAlive(pid)) return;
  if (!isPostmasterOf(pid, dataFolder)) {
    // The process id now belongs to another process, for example after a reboot or in a container. PostgreSQL would
    // refuse to start.
    rmSync(join(dataFolder, "postmaster.pid"), { force: true });
    return;
  }
  process.kill(pid, "SIGINT");
  if (await hasEnded(pid, fastStopMs)) return;
  process.kill(pid, "SIGQUIT");
  if (await hasEnded(pid, immediateStopMs)) return;
  throw new StartError(`The PostgreSQL of an earlier run in DATA_DIR does not stop: end process ${pid}.`);
}

/**
 * Returns the process id from the first line of postmaster.pid. Returns undefined if no database is running or the file
 * is being written.
 */
function readPostmasterPid(dataFolder: string): number | undefined {
  const pid = Number(readPidFile(dataFolder)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/**
 * Returns the id of the process that accepts connections for this folder's database, as recorded in the pid file.
 * Returns undefined if no database is ready.
 */
export function readyPid(dataFolder: string): number | undefined {
  const lines = readPidFile(dataFolder);
  return lines[7]?.trim() === "ready" ? Number(lines[0]) : undefined;
}

function readPidFile(dataFolder: string): string[] {
  return orUndefined(() => readFileSync(join(dataFolder, "postmaster.pid"), "utf8"))?.split("\n") ?? [];
}

/** Whether the process is running. A zombie process is treated as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  return orUndefined(() => readFileSync(`/proc/${pid}/stat`, "utf8"))?.includes(") Z ") === false;
}

/**
 * Whether the process is the PostgreSQL server of the folder. Checks the working directory of the process on Linux, and
 * its command line on other systems.
 */
function isPostmasterOf(pid: number, dataFolder: string): boolean {
  if (process.platform === "linux") return orUndefined(() => readlinkSync(`/proc/${pid}/cwd`)) === dataFolder;
  const { stdout } = Bun.spawnSync(["ps", "-o", "command=", "-p", String(pid)]);
  return stdout.toString().includes(dataFolder);
}

/** Returns undefined if the file or process no longer exists or belongs to another user. */
function orUndefined(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes(String(codeOf(error)))) return undefined;
    throw error;
  }
}

async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    if (!isAlive(pid)) return true;
    await Bun.sleep(pollMs);
  }
  return !isAlive(pid);
}
