import { readMigrations } from "./migration-files.ts" with { type: "macro" };
import type { Migration } from "./migration-files.ts";

export type { Migration };

/** All migrations in order, embedded in the binary. */
export const migrations: readonly Migration[] = readMigrations();
