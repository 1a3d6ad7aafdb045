import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const folder = "sql/migrations";

/**
 * Returns the commit of the last release: the newest version tag. Without tags, returns the newest commit that precedes
 * a run of new migrations and whose own migrations are unchanged in this checkout. Returns undefined if there is no
 * such commit.
 */
export function findLastRelease(): string | undefined {
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*");
  if (tag !== undefined) return git("rev-parse", `${tag}^{commit}`);
  const today = migrationsAt("HEAD");
  const { value } = statesBefore(today).next();
  return value?.commit;
}

/** A commit with a schema that later commits have extended. */
export type ReleaseState = {
  readonly commit: string;
  /** The name of its last migration. */
  readonly migration: string;
  readonly count: number;
};

/**
 * Lists the states before each run of new migrations, newest first. The list starts with the state before the new
 * migrations of this checkout. The migrations of each state are the first of the current migrations. Migrations of
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
  // An uncommitted migration follows the newest commit.
  const befores = ["HEAD", ...[...changes].map((change) => `${change}^`)];
  for (const place of befores) {
    const commit = git("rev-parse", "--verify", "--quiet", place);
    // A commit that adds migrations itself is within a run, not before it.
    if (commit === undefined || (place !== "HEAD" && changes.has(commit))) continue;
    const migrations = migrationsAt(commit);
    const isBeginning = migrations.every((migration, index) => migration === today[index]);
    if (migrations.length === 0 || migrations.length >= today.length || !isBeginning) continue;
    yield { commit, migration: nameOf(migrations.at(-1) ?? ""), count: migrations.length };
  }
}

/** Returns the state of a commit, or undefined if its migrations are not the first of this checkout's migrations. */
export function findReleaseState(place: string): ReleaseState | undefined {
  const today = migrationsHere();
  const commit = git("rev-parse", "--verify", "--quiet", `${place}^{commit}`);
  const migrations = commit === undefined ? [] : migrationsAt(commit);
  if (commit === undefined || !migrations.every((migration, index) => migration === today[index])) return undefined;
  return { commit, migration: nameOf(migrations.at(-1) ?? ""), count: migrations.length };
}

/** Returns the hashes and names of the migrations, in order. */
function migrationsAt(commit: string): string[] {
  const lines = git("ls-tree", "-r", commit, "--", folder)?.split("\n") ?? [];
  return lines.map((line) => line.replace(/^\S+ blob /, ""));
}

/** Lists the migrations of this checkout, including uncommitted migrations. */
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

/** Unpacks the program of a commit, with the current packages. Returns the command that starts the program. */
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
