import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { openDataFolder } from "./folders.ts";

/** Where the first token is kept. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, "admin-token");
}

/** Keeps the first token for the operator alone, durably: written aside first, so that the file is whole or not there. */
export async function keepTokenFile(dataDir: string, token: string): Promise<void> {
  openDataFolder(dataDir);
  const unfinished = `${tokenFile(dataDir)}.new`;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, tokenFile(dataDir));
}
