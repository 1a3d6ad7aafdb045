import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisMachine } from "../../src/platform/processes/shares.ts";

const memoryDisk = "/dev/shm";
/** A whole run needs 1.5 GB at most: the databases of the running files, built binaries, and profiles of browsers. */
const roomBytes = 4 * 1024 ** 3;
/** The tests' own processes need memory, too. */
const memoryBytes = 3 * roomBytes;
const prefix = "parley-run-";

/**
 * Makes the folder of one run, for its database server and as its tests' folder for temporary files. It is in memory if
 * there is room: a database is 650 files, each of which takes a disk 0.2 ms of processor time, and memory a tenth of
 * that.
 */
export function makeScratchFolder(): string {
  const isInMemory = hasRoomInMemory();
  if (isInMemory) removeLeftovers();
  const folder = join(isInMemory ? memoryDisk : tmpdir(), `${prefix}${process.pid}`);
  // Remains of an earlier process with this number.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // Like the system's own: some tests run programs as another user.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memoryDisk) || !mayRunPrograms(readFileSync("/proc/mounts", "utf8"))) return false;
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize >= roomBytes && thisMachine().memoryBytes >= memoryBytes;
}

/** Containers often forbid it, and their memory disk is 64 MB. */
function mayRunPrograms(mounts: string): boolean {
  const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts)?.[1]?.split(",");
  return options !== undefined && !options.includes("noexec");
}

/** Removes the folders of killed runs: their databases end by themselves when their files are gone. */
function removeLeftovers(): void {
  for (const name of readdirSync(memoryDisk)) {
    const isOver = name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length)}`);
    if (isOver) rmSync(join(memoryDisk, name), { recursive: true, force: true });
  }
}
