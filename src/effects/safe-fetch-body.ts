import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { cleanText } from "../interpreter/values.ts";
import { FailedCall, type RawAnswer } from "./safe-fetch-exchange.ts";

/** The encodings that our requests say we read. */
export const acceptedEncodings = "gzip, deflate, br, zstd";

/** The text of an answer: decompressed, decoded, and without what cannot be stored. Throws a FailedCall. */
export async function readText({ body, encoding }: RawAnswer, maxBytes: number): Promise<string> {
  return cleanText(new TextDecoder().decode(await decompress(body, encoding, maxBytes)));
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

async function decompress(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (body.byteLength === 0 || encoding === "" || encoding === "identity") return body;
  const known = decoders.get(encoding);
  if (!known) throw new FailedCall("answer", `The answer's encoding "${encoding.slice(0, 50)}" is not known`);
  // Some servers send "deflate" without the zlib header that it requires.
  const isBare = encoding === "deflate" && ((body[0] ?? 0) & 0x0f) !== 8;
  try {
    return await (isBare ? withoutHeader : known)(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    const message = isTooLarge ? `The answer is larger than ${maxBytes} bytes` : "The answer cannot be decompressed";
    throw new FailedCall("answer", message, { cause: error });
  }
}
