import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Glob } from "bun";

/**
 * Returns the tests that import a file directly or indirectly: first the tests that are named after the file, then the
 * other tests, each by the number of imports between the test and the file.
 */
export function testsOf(root: string, path: string): string[] {
  const files = [...new Glob("{src,test,workers}/**/*.{ts,tsx}").scanSync(root)];
  const known = new Set(files);
  const importedBy = new Map<string, string[]>();
  for (const file of files) {
    for (const name of importsIn(readFileSync(join(root, file), "utf8"))) {
      const target = join(dirname(file), name);
      if (known.has(target)) importedBy.set(target, [...(importedBy.get(target) ?? []), file]);
    }
  }
  const tests: string[] = [];
  const met = new Set([path]);
  let frontier = [path];
  while (frontier.length > 0) {
    tests.push(...frontier.filter((file) => file.endsWith(".test.ts")).sort());
    frontier = frontier.flatMap((file) => importedBy.get(file) ?? []).filter((file) => !met.has(file) && met.add(file));
  }
  const words = new Set(basename(path).split(/[-.]/));
  const isNamedAfterIt = (test: string): boolean =>
    basename(test, ".test.ts")
      .split("-")
      .every((word) => words.has(word));
  return [...tests.filter(isNamedAfterIt), ...tests.filter((test) => !isNamedAfterIt(test))];
}

/**
 * Returns the project's modules that a text imports. Type imports are ignored, because they are removed before the
 * program runs.
 */
function importsIn(text: string): string[] {
  const found = text.matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gm);
  return [...found].map(([, from, dynamic]) => from ?? dynamic ?? "");
}
