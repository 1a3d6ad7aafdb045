import foundation from "../../sql/migrations/0001_foundation.sql" with { type: "text" };
import type { Migration } from "./migrate.ts";

/** Every migration in order, embedded in the binary. A test keeps this list and the folder equal. */
export const migrations: readonly Migration[] = [{ name: "0001_foundation", text: foundation }];
