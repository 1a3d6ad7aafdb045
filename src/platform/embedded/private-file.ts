import { StartError } from "../../config.ts";
import { writeDurably } from "../durable-files.ts";
import { reasonOf } from "../thrown.ts";

/** Writes a file that only the operator can read, durably, and whole or not at all. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeDurably(path, [Buffer.from(`${text}\n`)]).catch((error: unknown) => {
    throw new StartError(`${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  });
}
