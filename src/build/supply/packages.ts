import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Component } from "./component.ts";
import { type LockedPackage, lockedPackages } from "./lock.ts";
import { hasText, standardText } from "./texts.ts";

const Manifest = Type.Object({
  version: Type.String(),
  license: Type.String(),
  author: Type.Optional(Type.Union([Type.String(), Type.Object({ name: Type.String() })])),
});

/**
 * Returns the npm packages that the program needs on a platform, read from the installed modules. Throws if no licence
 * text is found for a package, or if its installed version differs from the lock file.
 */
export function npmComponents(lock: string, { modules, platform }: Installed): Component[] {
  return lockedPackages(lock, platform).map((locked): Component => {
    const folder = join(modules, folderOf(locked.key));
    const manifest = Value.Decode(Manifest, JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
    if (manifest.version !== locked.version) {
      throw new Error(`${folder} has version ${manifest.version}, and bun.lock ${locked.version}: install again.`);
    }
    const { name, version } = locked;
    const licence = manifest.license.replace(/^\((.*)\)$/, "$1");
    return { name, version, licence, text: textIn(folder) ?? standIn(locked, manifest), locked };
  });
}

/** The folder of the installed packages, and their platform (such as `linux-x64`). */
export type Installed = { readonly modules: string; readonly platform: string };

/** Returns the folder of a package, for example `@a/b/node_modules/c` for the key `@a/b/c`. */
function folderOf(key: string): string {
  return (key.match(/(?:@[^/]+\/)?[^/]+/g) ?? []).join("/node_modules/");
}

const licenceFile = /licen[cs]e|copying|notice/i;

function textIn(folder: string): string | undefined {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map(({ name }) => name)
    .sort();
  if (names.length === 0) return undefined;
  return names.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
}

/**
 * Returns the standard text of the licence with the package's author, for packages that only name their licence. Throws
 * if there is no standard text.
 */
function standIn(
  { name }: LockedPackage,
  { author, license }: { author?: string | { name: string }; license: string },
) {
  if (!hasText(license)) throw new Error(`${name} has no text of its licence, ${license}, and neither do we.`);
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  return `Copyright (c) ${holder}\n\n${standardText(license)}`;
}
