import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const folder = "sql/migrations";

/**
 * The commit of the last release: the newest version tag. Without tags it is the newest commit that lacks some of
 * today's migrations and has the earlier ones unchanged: a migration that was renamed before its release does not
 * count. Undefined if the history is too short.
 */
export function findLastRelease(): string | undefined {
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*");
  if (tag !== undefined) return git("rev-parse", `${tag}^{commit}`);
  const today = migrationsAt("HEAD");
  const { value } = statesBefore(today).next();
  return value?.commit;
}

/** The newest code with a schema that later commits have extended. */
export type ReleaseState = {
  readonly commit: string;
  /** The name of its last migration. */
  readonly migration: string;
  /** The number of its migrations. */
  readonly count: number;
};

/**
 * The states that a run of new migrations has followed, newest first, beginning with the one before the new migrations
 * of this checkout: commits whose migrations are the first of today's, and whose next commit adds others. Migrations of
 * consecutive commits are one run.
 */
export function listReleaseStates(most: number): ReleaseState[] {
  const states: ReleaseState[] = [];
  for (const state of statesBefore(migrationsHere())) {
    if (states.length === most) break;
    if (states.at(-1)?.migration !== state.migration) states.push(state);
  }
  return states;
}

function* statesBefore(today: readonly string[]): Generator<ReleaseState, undefined> {
  const changes = new Set(git("log", "--format=%H", "--", folder)?.split("\n") ?? []);
  // A migration that is not yet committed follows the newest commit.
  const befores = ["HEAD", ...[...changes].map((change) => `${change}^`)];
  for (const place of befores) {
    const commit = git("rev-parse", "--verify", "--quiet", place);
    // The commit is within a run: it added migrations itself, and so does the next.
    if (commit === undefined || (place !== "HEAD" && changes.has(commit))) continue;
    const migrations = migrationsAt(commit);
    const isBeginning = migrations.every((migration, index) => migration === today[index]);
    if (migrations.length === 0 || migrations.length >= today.length || !isBeginning) continue;
    yield { commit, migration: nameOf(migrations.at(-1) ?? ""), count: migrations.length };
  }
}

/** The state of a commit. Undefined unless its migrations are the first of this checkout's. */
export function findReleaseState(place: string): ReleaseState | undefined {
  const today = migrationsHere();
  const commit = git("rev-parse", "--verify", "--quiet", `${place}^{commit}`);
  const migrations = commit === undefined ? [] : migrationsAt(commit);
  if (commit === undefined || !migrations.every((migration, index) => migration === today[index])) return undefined;
  return { commit, migration: nameOf(migrations.at(-1) ?? ""), count: migrations.length };
}

/** Their hashes and names, in order. */
function migrationsAt(commit: string): string[] {
  const lines = git("ls-tree", "-r", commit, "--", folder)?.split("\n") ?? [];
  return lines.map((line) => line.replace(/^\S+ blob /, ""));
}

/** Lists the migrations of this checkout, committed or not. */
function migrationsHere(): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".sql"));
  return names.toSorted().map((name) => {
    const content = readFileSync(join(root, folder, name));
    const hash = new Bun.CryptoHasher("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    return `${hash}\t${folder}/${name}`;
  });
}

function nameOf(migration: string): string {
  return migration.slice(migration.lastIndexOf("/") + 1);
}

/** Unpacks the program of a commit, with today's packages. Returns the command that starts it. */
export function unpackRelease(commit: string, target: string): string[] {
  const parts = ["src", "workers", "sql", "package.json", "tsconfig.json"];
  const archive = Bun.spawnSync(["git", "archive", commit, ...parts], { cwd: root });
  const unpacked = Bun.spawnSync(["tar", "-x", "-C", target], { stdin: archive.stdout });
  if (!archive.success || !unpacked.success) throw new Error(`${archive.stderr}${unpacked.stderr}`);
  symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
  return [process.execPath, join(target, "src/cli.ts")];
}

function git(...words: readonly string[]): string | undefined {
  const { success, stdout } = Bun.spawnSync(["git", ...words], { cwd: root, stderr: "ignore" });
  const text = stdout.toString().trim();
  return success && text !== "" ? text : undefined;
}
