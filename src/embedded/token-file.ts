import { join } from "node:path";
import { openDataFolder } from "./folders.ts";
import { keepPrivately } from "./private-file.ts";

/** Where the first token is kept. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, "admin-token");
}

/** Keeps the first token for the operator alone. */
export async function keepTokenFile(dataDir: string, token: string): Promise<void> {
  openDataFolder(dataDir);
  await keepPrivately(tokenFile(dataDir), token);
}
