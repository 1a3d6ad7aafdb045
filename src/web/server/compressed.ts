import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Compresses a page where the browser accepts that, so that text and style arrive in one round trip. */
export async function compressed(request: Request, page: Response): Promise<Response> {
  const headers = new Headers(page.headers);
  headers.append("Vary", "Accept-Encoding");
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  if (encoding === undefined) return new Response(page.body, { status: page.status, headers });
  headers.set("Content-Encoding", encoding);
  const plain = await page.bytes();
  const body = await (encoding === "br" ? promisify(brotliCompress)(plain, fastBrotli) : promisify(gzip)(plain));
  return new Response(new Uint8Array(body), { status: page.status, headers });
}

/** Pages are compressed on each request, so speed counts more than for cached assets. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
