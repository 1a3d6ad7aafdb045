import { join } from "node:path";
import { openDataFolder } from "./folders.ts";
import { writePrivateFile } from "./private-file.ts";

/** The path of the file with the first token. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, "admin-token");
}

/** Writes the first token to a file that only the operator can read. */
export async function writeTokenFile(dataDir: string, token: string): Promise<void> {
  openDataFolder(dataDir);
  await writePrivateFile(tokenFile(dataDir), token);
}
