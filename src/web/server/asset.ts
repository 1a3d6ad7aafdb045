import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

/** A file that browsers load, in the encodings that they take. */
export type Asset = {
  readonly contentType: string;
  plain(): Promise<Bytes>;
  /** Compressed when it is first asked for so, unless it came so. */
  encoded(encoding: Encoding): Promise<Bytes>;
};

type Bytes = Uint8Array<ArrayBuffer>;
type Encoding = "br" | "gzip";

export type AssetContent = {
  readonly contentType: string;
  readonly content: Bytes;
  /** Whether the content is compressed by brotli already. */
  readonly isCompressed?: boolean;
  /** How hard brotli tries, up to 11. */
  readonly quality?: number;
};

/** An asset of its content. */
export function assetOf({ contentType, content, isCompressed = false, quality = 11 }: AssetContent): Asset {
  let plain: Promise<Bytes> | undefined = isCompressed ? undefined : Promise.resolve(content);
  const known = new Map<Encoding, Promise<Bytes>>();
  if (isCompressed) known.set("br", Promise.resolve(content));
  const unpacked = () => (plain ??= promisify(brotliDecompress)(content).then((bytes) => new Uint8Array(bytes)));
  return {
    contentType,
    plain: unpacked,
    encoded(encoding) {
      const encoded = known.get(encoding) ?? unpacked().then((bytes) => encode(encoding, bytes, quality));
      known.set(encoding, encoded);
      return encoded;
    },
  };
}

/** An asset as the request takes it, with further headers. */
export async function assetResponse(
  asset: Asset,
  request: Request,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  const body = await (encoding === undefined ? asset.plain() : asset.encoded(encoding));
  return new Response(body, {
    headers: {
      "Content-Type": asset.contentType,
      ...headers,
      "X-Content-Type-Options": "nosniff",
      Vary: "Accept-Encoding",
      ...(encoding !== undefined && { "Content-Encoding": encoding }),
    },
  });
}

async function encode(encoding: Encoding, plain: Bytes, quality: number): Promise<Bytes> {
  // 3 % smaller than what zlib makes at its best (25,144 and 24,295 bytes for the page's script).
  if (encoding === "gzip") return Bun.gzipSync(plain, { library: "libdeflate", level: 12 });
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength, [constants.BROTLI_PARAM_QUALITY]: quality };
  return new Uint8Array(await promisify(brotliCompress)(plain, { params }));
}
