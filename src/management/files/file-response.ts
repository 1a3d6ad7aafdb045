import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { OpenFile } from "./files.ts";

/** Types that browsers show without executing code in them. */
const shownTypes =
  /^(image\/(avif|bmp|gif|heic|heif|jpe?g|png|tiff|webp)|(audio|video)\/[\w.-]+|application\/pdf|text\/plain)$/;

/**
 * Returns a file in a form that is safe for browsers. Images, audio, video, PDF and plain text are shown. Any other
 * content is sent as a download, because it could run in a page. With `isTypeSure`, every type is shown, because the
 * service determined it from the content and accepts only allowed types. A content security policy prevents code from
 * running in a file that is opened as a page. Ranges are supported, so that players can seek.
 */
export async function fileResponse(
  file: OpenFile,
  { method, headers }: Pick<Request, "method" | "headers">,
  { isPublic, isTypeSure = false }: { isPublic: boolean; isTypeSure?: boolean },
): Promise<Response> {
  const tag = `"${file.hash.slice(0, 32)}"`;
  const shared = { ...fileHeaders(file, { isPublic, isTypeSure }), ETag: tag };
  if (headers.get("if-none-match")?.includes(tag)) return new Response(null, { status: 304, headers: shared });
  const range = readRange(headers, { bytes: file.bytes, tag });
  const length = range ? range.last - range.first + 1 : file.bytes;
  return new Response(method === "HEAD" ? null : await file.read(range), {
    status: range ? 206 : 200,
    headers: {
      ...shared,
      "Content-Length": String(length),
      ...(range && { "Content-Range": `bytes ${range.first}-${range.last}/${file.bytes}` }),
    },
  });
}

function fileHeaders(
  { name, type }: OpenFile,
  { isPublic, isTypeSure }: { isPublic: boolean; isTypeSure: boolean },
): Record<string, string> {
  const isShown = isTypeSure || shownTypes.test(type);
  return {
    "Content-Type": isShown ? type : "application/octet-stream",
    "Content-Disposition": `${isShown ? "inline" : "attachment"}; ${fileNameParameters(name)}`,
    "X-Content-Type-Options": "nosniff",
    // A browser's PDF viewer does not start inside a sandbox.
    "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'${type === "application/pdf" ? "" : "; sandbox"}`,
    "Accept-Ranges": "bytes",
    ...(isPublic
      ? {
          "Cache-Control": `public, max-age=${limits.uploads.cacheSeconds}, immutable`,
          "Cross-Origin-Resource-Policy": "cross-origin",
        }
      : { "Cache-Control": "private, no-store" }),
  };
}

/** Returns the file name in two encodings: one for all clients, and one for clients that read only ASCII (RFC 6266). */
function fileNameParameters(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Returns the requested range. Undefined means the whole file, because the range is absent, malformed or conditional on
 * another version. Throws `file.range_invalid` for a range outside of the file.
 */
function readRange(headers: Headers, { bytes, tag }: { bytes: number; tag: string }) {
  const [, from = "", to = ""] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(headers.get("range")?.trim() ?? "") ?? [];
  const condition = headers.get("if-range");
  if ((from === "" && to === "") || (condition !== null && condition !== tag)) return undefined;
  const first = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== "" && to !== "" && Number(to) < first) return undefined;
  if (first >= bytes || first > last) throw new AppError("file.range_invalid", { data: { bytes } });
  return { first, last };
}
