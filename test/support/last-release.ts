import { symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/**
 * The commit of the last release: the newest tag of a version or, where there is none, what stood before the newest migration. Undefined where the
 * history does not go back so far.
 */
export function findLastRelease(): string | undefined {
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*");
  if (tag !== undefined) return git("rev-parse", `${tag}^{commit}`);
  const newest = git("log", "-1", "--format=%H", "--", "sql/migrations");
  return newest && git("rev-parse", "--verify", "--quiet", `${newest}^`);
}

/** Unpacks the program as it was at a commit, with the packages of today; returns the command that starts it. */
export function unpackRelease(commit: string, folder: string): string[] {
  const parts = ["src", "workers", "sql", "package.json", "tsconfig.json"];
  const archive = Bun.spawnSync(["git", "archive", commit, ...parts], { cwd: root });
  const unpacked = Bun.spawnSync(["tar", "-x", "-C", folder], { stdin: archive.stdout });
  if (!archive.success || !unpacked.success) throw new Error(`${archive.stderr}${unpacked.stderr}`);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return [process.execPath, join(folder, "src/cli.ts")];
}

function git(...words: readonly string[]): string | undefined {
  const { success, stdout } = Bun.spawnSync(["git", ...words], { cwd: root, stderr: "ignore" });
  const text = stdout.toString().trim();
  return success && text !== "" ? text : undefined;
}
