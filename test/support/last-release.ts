import { symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/**
 * The commit of the last release: the newest tag of a version or, where there is none, the newest commit that lacks some of today's migrations
 * and has those before them as they are today: one that was named anew before it was released leads to nowhere. Undefined where the history does
 * not go back so far.
 */
export function findLastRelease(): string | undefined {
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*");
  if (tag !== undefined) return git("rev-parse", `${tag}^{commit}`);
  const today = migrationsAt("HEAD");
  const changes = git("log", "--format=%H", "--", folder)?.split("\n") ?? [];
  for (const change of changes) {
    const before = git("rev-parse", "--verify", "--quiet", `${change}^`);
    const migrations = before === undefined ? [] : migrationsAt(before);
    const isBeginning = migrations.every((migration, index) => migration === today[index]);
    if (migrations.length > 0 && migrations.length < today.length && isBeginning) return before;
  }
  return undefined;
}

const folder = "sql/migrations";

/** Their names and contents, in order. */
function migrationsAt(commit: string): string[] {
  return git("ls-tree", "-r", commit, "--", folder)?.split("\n") ?? [];
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
