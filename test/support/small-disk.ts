import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";

/** A disk of a few megabytes, in memory. */
export type SmallDisk = {
  readonly path: string;
  /** Fills the disk; may be repeated after space was freed. */
  fill(): void;
  /** Frees the space that `fill` has taken. */
  makeRoom(): void;
  /** Makes the disk read-only from now on. */
  protect(): void;
  remove(): void;
};

const piece = new Uint8Array(64 * 1024);

/** Why no small disk can be made here: only Linux's administrator may mount one. Undefined if it can. */
export function smallDiskIsMissing(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only Linux's root mounts small disks";
  try {
    mountDisk({ megabytes: 1 }).remove();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

export function mountDisk({ megabytes }: { megabytes: number }): SmallDisk {
  const folder = temporaryFolder();
  const path = join(folder.path, "disk");
  mkdirSync(path);
  const run = (...command: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(command);
    if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr.toString().trim()}`);
  };
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  } catch (error) {
    folder.remove();
    throw error;
  }
  const ballast = join(path, "ballast");
  return {
    path,
    fill() {
      const file = openSync(ballast, "a");
      try {
        for (;;) writeSync(file, piece);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    protect: () => run("mount", "-o", "remount,ro", path),
    remove() {
      run("umount", "--lazy", path);
      folder.remove();
    },
  };
}
