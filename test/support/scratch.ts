import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisMachine } from "../../src/platform/processes/shares.ts";

const memoryDisk = "/dev/shm";
/**
 * The required free space. A whole run needs at most 1.5 GB: the databases of the running files, built binaries, and
 * browser profiles.
 */
const roomBytes = 4 * 1024 ** 3;
/** The memory that the machine must have, because the processes of the tests also need memory. */
const memoryBytes = 3 * roomBytes;
const prefix = "parley-run-";

/**
 * Creates the folder of one run, for its database server and for temporary files of tests. The folder is in memory if
 * possible: a database has 650 files, each of which costs 0.2 ms of processor time on disk, and a tenth of that in
 * memory.
 */
export function makeScratchFolder(): string {
  const isInMemory = hasRoomInMemory();
  if (isInMemory) removeLeftovers();
  const folder = join(isInMemory ? memoryDisk : tmpdir(), `${prefix}${process.pid}`);
  // An earlier process with the same id may have left this folder.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // The mode is that of the system's temporary folder, because some tests run programs as another user.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memoryDisk) || !mayRunPrograms(readFileSync("/proc/mounts", "utf8"))) return false;
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize >= roomBytes && thisMachine().memoryBytes >= memoryBytes;
}

/** Whether programs may run from the memory disk. Containers often forbid it, and their memory disk has only 64 MB. */
function mayRunPrograms(mounts: string): boolean {
  const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts)?.[1]?.split(",");
  return options !== undefined && !options.includes("noexec");
}

/** Removes the folders of killed runs. Their database servers stop once their files are deleted. */
function removeLeftovers(): void {
  for (const name of readdirSync(memoryDisk)) {
    const isOver = name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length)}`);
    if (!isOver) continue;
    const folder = join(memoryDisk, name);
    // A killed test of a full disk leaves its disk mounted, and a mounted disk could not be removed.
    const disks = readFileSync("/proc/mounts", "utf8").matchAll(/^\S+ (\S+)/gm);
    for (const [, disk = ""] of disks) if (disk.startsWith(`${folder}/`)) spawnSync("umount", ["-l", disk]);
    rmSync(folder, { recursive: true, force: true });
  }
}
