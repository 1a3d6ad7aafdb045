import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readSource, type Source } from "./source.ts";

const root = join(import.meta.dir, "../../..");

export function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/**
 * Returns every TypeScript file of the project, by its path from the root. Declarations for third-party packages are
 * excluded.
 */
export function readSources(): Source[] {
  const files = new Bun.Glob("{src,workers,sdk,test,scripts}/**/*.{ts,tsx}").scanSync({ cwd: root, dot: true });
  return [...files]
    .filter((path) => !path.endsWith(".d.ts"))
    .toSorted()
    .map((path) => readSource(path, readText(path)));
}

/** Returns every file in a folder and its subfolders, by its path relative to the folder. */
export function listFiles(folder: string): string[] {
  return [...new Bun.Glob("**/*").scanSync({ cwd: join(root, folder), dot: true })].toSorted();
}

export function isFolder(path: string): boolean {
  return statSync(join(root, path)).isDirectory();
}

export function isThere(path: string): boolean {
  return existsSync(join(root, path));
}

/** Returns the entries in the root of the checkout that git does not ignore. */
export function listTop(): string[] {
  const ignored = readText(".gitignore")
    .split("\n")
    .filter((line) => line !== "");
  const isIgnored = (name: string) =>
    ignored.some((pattern) => new Bun.Glob(pattern.replace(/\/$/, "")).match(name)) || name === ".git";
  return readdirSync(root)
    .filter((name) => !isIgnored(name))
    .toSorted();
}

const Versions = Type.Record(Type.String(), Type.String());
const Package = Type.Object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Type.Optional(Versions),
});

/** Returns the dependencies of the project with their versions. */
export function listDependencies(): { name: string; version: string; isForDevelopment: boolean }[] {
  const content: unknown = JSON.parse(readText("package.json"));
  const { dependencies, devDependencies, optionalDependencies } = Value.Decode(Package, content);
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).map(([name, version]) => ({
    name,
    version,
    isForDevelopment: name in devDependencies,
  }));
}

/** Returns the text of a section of a Markdown file, without its heading. */
export function sectionOf(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`There is no section "${heading}".`);
  const end = markdown.indexOf("\n## ", start + 1);
  return markdown.slice(start, end === -1 ? undefined : end);
}
