import { AppError } from "../../errors.ts";
import { newId } from "../ids.ts";
import { discard, receiveFile } from "./arrival.ts";
import type { Storage } from "./storage.ts";

/**
 * Stores, reads and deletes a small file, to test every operation that uploads require. Throws `storage.unavailable`
 * with the storage's message in `data.reason`. Only operators may see this message.
 */
export async function checkStorage(storage: Storage): Promise<void> {
  const id = newId();
  try {
    const arrival = await receiveFile(new Blob([id]).stream(), { folder: storage.arrivals, maxBytes: id.length });
    if (arrival === "too large") throw new Error("The storage check is larger than itself");
    try {
      await storage.keep(id, { path: arrival.path, type: "text/plain" });
    } finally {
      await discard(arrival);
    }
    const kept = await storage.read(id, undefined);
    if ((kept && (await new Response(kept).text())) !== id) throw new AppError("storage.unavailable");
    await storage.remove(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, { data: { reason: reasonOf(error) }, cause: error.cause });
  }
}

function reasonOf({ cause }: AppError): string {
  return cause instanceof Error ? cause.message : "The stored file could not be read back.";
}
