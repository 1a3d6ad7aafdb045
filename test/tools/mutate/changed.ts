import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Folders where no mutant of a changed line may survive all tests. */
export const guardedRooms = [
  "src/effects",
  "src/management/access",
  "src/core/interpreter",
  "src/compatibility",
  "src/chat",
];

const Proven = Type.Object({ commit: Type.String({ pattern: "^[0-9a-f]{40}$" }) });
const provenPath = (root: string): string => join(root, "test/tools/mutate/proven.json");

/** Returns the commit whose code counts as proven. Returns undefined if this clone does not contain the commit. */
export function provenCommit(root: string): string | undefined {
  const { commit } = Value.Decode(Proven, JSON.parse(readFileSync(provenPath(root), "utf8")));
  return git(root, ["cat-file", "-e", `${commit}^{commit}`]).ok ? commit : undefined;
}

/** Stores the current commit as the proven commit. */
export function prove(root: string): void {
  const commit = git(root, ["rev-parse", "HEAD"]).text.trim();
  writeFileSync(provenPath(root), `${JSON.stringify({ commit }, null, 2)}\n`);
}

/**
 * Returns the lines of the program that were added since a commit, by file. A file that was only moved has no such
 * lines.
 */
export function changedLines(root: string, since: string): Map<string, Set<number>> {
  const { ok, text } = git(root, ["diff", "-U0", "--find-renames=30%", since, "HEAD", "--", "src", "workers"]);
  if (!ok) throw new Error(`The changes since ${since} cannot be read.`);
  return readDiff(text);
}

/** Returns the lines that a diff without context adds to TypeScript files, by file. */
export function readDiff(diff: string): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  let here: Set<number> | undefined;
  for (const line of diff.split("\n")) {
    const path = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (path !== undefined) {
      here = new Set();
      if (/\.tsx?$/.test(path) && !path.endsWith(".d.ts")) lines.set(path, here);
    }
    const [hunk, first = "", count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (hunk === undefined) continue;
    for (let at = 0; at < Number(count); at++) here?.add(Number(first) + at);
  }
  return lines;
}

function git(root: string, command: readonly string[]): { ok: boolean; text: string } {
  const run = Bun.spawnSync(["git", "-c", "safe.directory=*", ...command], { cwd: root, stderr: "ignore" });
  return { ok: run.exitCode === 0, text: run.stdout.toString() };
}
