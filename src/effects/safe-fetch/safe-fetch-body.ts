import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { cleanText } from "../../core/interpreter/language/values.ts";
import type { Pace } from "./long-answers.ts";
import { type ExchangeRules, FailedCall, isPlain, type RawAnswer, uncountedBytes } from "./safe-fetch-exchange.ts";

/** The content encodings that our requests accept. */
export const acceptedEncodings = "gzip, deflate, br, zstd";

/**
 * Returns the text of a response: decompressed, decoded, and without characters that cannot be stored. Throws a
 * FailedCall if the response cannot be decompressed or is too large.
 */
export async function readText(
  answer: RawAnswer,
  rules: Pick<ExchangeRules, "maxBytes" | "reserve" | "pace">,
): Promise<string> {
  return cleanText(await decode(await decompress(answer, rules), rules.pace));
}

/**
 * Decodes a body in pieces, because decoding ten megabytes in one call would block all requests for ten milliseconds.
 */
async function decode(body: Buffer, pace: Pace): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let start = 0; start < body.byteLength; start += uncountedBytes) {
    const piece = body.subarray(start, start + uncountedBytes);
    if (start > 0) await pace(piece.byteLength);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders = new Map<string, Decompress>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
  ["deflate", promisify(inflate)],
]);
const withoutHeader = promisify(inflateRaw);

/**
 * Decompresses a body. Throws if the text exceeds the maximum size. A text longer than `uncountedBytes` is decompressed
 * again after memory was reserved for it.
 */
async function decompress(
  { body, encoding }: RawAnswer,
  { maxBytes, reserve }: Pick<ExchangeRules, "maxBytes" | "reserve">,
): Promise<Buffer> {
  if (body.byteLength === 0 || isPlain(encoding)) return body;
  const short = await decompressWithin(body, encoding, uncountedBytes);
  if (short) return short;
  await reserve(maxBytes);
  const long = await decompressWithin(body, encoding, maxBytes);
  if (!long) throw new FailedCall("answer", `The response is larger than ${maxBytes} bytes`);
  return long;
}

/**
 * Decompresses a body, or returns undefined if the text is longer than the limit. Throws if the encoding is unknown or
 * the body is invalid.
 */
async function decompressWithin(body: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer | undefined> {
  const known = decoders.get(encoding);
  if (!known) throw new FailedCall("answer", `The response's encoding "${encoding.slice(0, 50)}" is not supported`);
  // Some servers send "deflate" without the required zlib header.
  const isBare = encoding === "deflate" && ((body[0] ?? 0) & 0x0f) !== 8;
  try {
    return await (isBare ? withoutHeader : known)(body, { maxOutputLength });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new FailedCall("answer", "The response cannot be decompressed", { cause: error });
  }
}
