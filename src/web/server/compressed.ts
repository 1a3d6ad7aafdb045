import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A page made small for its way, where the browser takes that: words and style arrive together, in one round trip. */
export async function compressed(request: Request, page: Response): Promise<Response> {
  const headers = new Headers(page.headers);
  headers.append("Vary", "Accept-Encoding");
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  if (encoding === undefined) return new Response(page.body, { status: page.status, headers });
  headers.set("Content-Encoding", encoding);
  const plain = await page.bytes();
  const body = await (encoding === "br" ? promisify(brotliCompress)(plain, quick) : promisify(gzip)(plain));
  return new Response(new Uint8Array(body), { status: page.status, headers });
}

/** Every page is made anew, so that time counts more here than for files that are kept for good. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
