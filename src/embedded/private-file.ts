import { open, rename } from "node:fs/promises";

/** Keeps a text for the operator alone, durably: written aside first, so that the file is whole or not there. */
export async function keepPrivately(path: string, text: string): Promise<void> {
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
