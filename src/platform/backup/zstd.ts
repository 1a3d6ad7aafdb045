import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

const decompress = promisify(zstdDecompress);

/**
 * Decompresses at most `maxBytes` bytes, because a few kB can expand to gigabytes. Rejects if the data is larger or is
 * not zstd.
 */
export async function decompressZstd(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await decompress(bytes, { maxOutputLength: Math.max(1, maxBytes) }));
}
