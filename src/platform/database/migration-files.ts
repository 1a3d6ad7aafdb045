import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One file of sql/migrations: its name without the extension, and its statements. */
export type Migration = { readonly name: string; readonly text: string };

/**
 * Reads the migrations in order. This function is a macro that runs at compile time, so a build contains the migrations
 * and needs no files.
 */
export function readMigrations(): Migration[] {
  const folder = join(import.meta.dir, "../../../sql/migrations");
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return files.toSorted().map((file) => ({
    name: file.slice(0, -".sql".length),
    text: readFileSync(join(folder, file), "utf8"),
  }));
}
