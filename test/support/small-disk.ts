import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";

/** A disk of a few megabytes, in memory. */
export type SmallDisk = {
  readonly path: string;
  /** Fills the disk. May be called again after space was freed. */
  fill(): void;
  /** Frees the space that `fill` has used. */
  makeRoom(): void;
  protect(): void;
  remove(): void;
};

const piece = new Uint8Array(64 * 1024);

/**
 * Returns the reason why no small disk can be created on this machine, or undefined. Only root on Linux may mount one.
 */
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
