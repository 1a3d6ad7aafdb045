import { open, rename } from "node:fs/promises";
import { StartError } from "../../config.ts";

/** Writes a file that only the operator can read, durably: under another name first, so that it is whole or absent. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    await write(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${path} cannot be written: ${reason}.`, { cause: error });
  }
}

async function write(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
