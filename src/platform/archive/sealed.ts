import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";
import { decompressZstd } from "../backup/zstd.ts";

/**
 * Each file of an archive begins with one line of JSON that contains the size and the SHA-256 of the content. The
 * content follows, compressed with zstd. A truncated or corrupted file is therefore detected and named before its
 * content is used.
 */
const Seal = Type.Object({
  parleyArchive: Type.Literal(1),
  name: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  /**
   * The time of the last write for a file of PostgreSQL's log. For other files, and in archives of earlier releases,
   * the time of archiving.
   */
  at: Type.String(),
});
export type Seal = Static<typeof Seal>;

const newline = 0x0a;
/**
 * An upper bound for the size of a content. The parts of base copies and the segments of PostgreSQL's log have at most
 * 17 MB.
 */
const largestContent = 64 * 1024 * 1024;
/** An upper bound for the length of the first line. */
const longestSeal = 1_000;

/** Packs the content of a file for the archive. */
export async function seal(name: string, content: Uint8Array<ArrayBuffer>, at: Date): Promise<Uint8Array> {
  const head: Seal = { parleyArchive: 1, name, bytes: content.length, sha256: sumOf(content), at: at.toISOString() };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), await Bun.zstdCompress(content)]);
}

/**
 * Parses the first line of an archived file. Throws a StartError that names the file if the line is invalid or belongs
 * to another file.
 */
export function readSeal(name: string, file: Uint8Array): Seal {
  const end = file.subarray(0, longestSeal).indexOf(newline);
  try {
    const head = Value.Decode(Seal, JSON.parse(new TextDecoder().decode(file.subarray(0, end))));
    if (head.name === name) return head;
  } catch (error) {
    throw damaged(name, error);
  }
  throw damaged(name);
}

/**
 * Returns the content of an archived file. Throws a StartError that names the file if the content does not match the
 * first line.
 */
export async function unseal(
  name: string,
  file: Uint8Array<ArrayBuffer>,
): Promise<{ content: Uint8Array<ArrayBuffer>; head: Seal }> {
  const head = readSeal(name, file);
  if (head.bytes > largestContent) throw damaged(name);
  const content = await decompressZstd(file.subarray(file.indexOf(newline) + 1), head.bytes).catch((error: unknown) => {
    throw damaged(name, error);
  });
  if (content.length !== head.bytes || sumOf(content) !== head.sha256) throw damaged(name);
  return { content, head };
}

export function sumOf(content: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

function damaged(name: string, cause?: unknown): StartError {
  return new StartError(
    `${name} in the archive is truncated or was changed: replace it with another copy of the file, or restore from a later base copy.`,
    { cause },
  );
}
