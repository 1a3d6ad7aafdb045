import { join } from "node:path";
import { StartError } from "../../config.ts";
import { writeDurably } from "../durable-files.ts";
import { reasonOf } from "../thrown.ts";
import { openDataFolder } from "./folders.ts";

/**
 * Writes a file that only the operator can read. The write is durable and atomic. Throws a StartError if the file
 * cannot be written.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeDurably(path, [Buffer.from(`${text}\n`)]).catch((error: unknown) => {
    throw new StartError(`${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  });
}

/** Returns the path of the file that contains the first token. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, "admin-token");
}

/** Writes the first token to a file that only the operator can read. */
export async function writeTokenFile(dataDir: string, token: string): Promise<void> {
  openDataFolder(dataDir);
  await writePrivateFile(tokenFile(dataDir), token);
}
