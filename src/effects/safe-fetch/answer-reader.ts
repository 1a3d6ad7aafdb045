import type { IncomingHttpHeaders } from "node:http";
import { FailedCall } from "./safe-fetch-exchange.ts";

/**
 * Reads one HTTP/1.1 response from the bytes of a connection, and the beginning of its body.
 *
 *     head ─ it is whole ────────────────────────→ body; an interim response (1xx) → head again
 *     body ─ it is whole, or `most` bytes came ──→ complete
 *     body ─ the connection is closed, which ends it ─→ complete
 *
 * `node:http` does this too, with some thirty objects and listeners for each request: 20 µs of processor time, and 8 with this reader
 * (an event's request, loopback, Bun 1.4.4).
 */
export type AnswerReader = {
  /** Takes the next bytes. Whether the response is complete, or enough of it was read. Throws a FailedCall if it is none. */
  add(part: Buffer): boolean;
  /** Whether the response is complete now that the connection is closed. */
  close(): boolean;
  hasBegun(): boolean;
  /** Once it is complete. `isReusable`: the connection can take another request. */
  result(): ReadAnswer;
};

export type ReadAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isReusable: boolean;
};

/** As in Node. */
const mostHeadBytes = 16 * 1024;

type Head = { readonly status: number; readonly headers: Record<string, string>; readonly staysOpen: boolean };

/** The rest of a body: so many bytes, chunks (with the rest of the present one), or all until the connection is closed. */
type Rest =
  | { readonly kind: "length"; left: number }
  | { readonly kind: "chunks"; left: number; isBetween: boolean }
  | { readonly kind: "close" };

const nothing = Buffer.alloc(0);

export function createAnswerReader({ method, most }: { method: string; most: number }): AnswerReader {
  let unread: Buffer = nothing;
  let head: Head | undefined;
  let rest: Rest = { kind: "close" };
  const parts: Buffer[] = [];
  let bytes = 0;
  let hasBegun = false;
  let isReusable = false;

  /** Takes bytes of the body, at most so many. Returns how many. */
  const take = (count: number): number => {
    const part = unread.subarray(0, Math.min(count, most - bytes));
    if (part.byteLength > 0) parts.push(part);
    bytes += part.byteLength;
    unread = unread.subarray(part.byteLength);
    return part.byteLength;
  };
  const complete = (isWhole: boolean): true => {
    // Bytes after it belong to no request.
    isReusable = isWhole && head?.staysOpen === true && unread.byteLength === 0;
    return true;
  };
  /** Undefined until the line is whole. */
  const takeLine = (): string | undefined => {
    const end = unread.indexOf("\r\n");
    if (end < 0 && unread.byteLength > mostHeadBytes) throw notHttp();
    if (end < 0) return undefined;
    const line = unread.toString("latin1", 0, end);
    unread = unread.subarray(end + 2);
    return line;
  };
  const readHead = (): boolean => {
    while (!head) {
      if (!"HTTP/".startsWith(unread.toString("latin1", 0, 5))) throw notHttp();
      const end = unread.indexOf("\r\n\r\n");
      if ((end < 0 ? unread.byteLength : end) > mostHeadBytes) throw notHttp();
      if (end < 0) return false;
      const found = parseHead(unread.toString("latin1", 0, end));
      unread = unread.subarray(end + 4);
      if (found.status === 101) throw new FailedCall("answer", "The server wants to change the protocol");
      if (found.status >= 200) head = found;
      else if (unread.byteLength === 0) return false;
    }
    rest = restOf(head, method);
    return true;
  };
  const readChunks = (chunks: Extract<Rest, { kind: "chunks" }>): boolean => {
    for (;;) {
      chunks.left -= take(chunks.left);
      if (bytes >= most) return complete(false);
      if (chunks.left > 0) return false;
      const line = takeLine();
      if (line === undefined) return false;
      if (chunks.isBetween) {
        if (line !== "") throw notHttp();
        chunks.isBetween = false;
        continue;
      }
      const [, size = ""] = chunkSize.exec(line) ?? [];
      if (size === "") throw notHttp();
      chunks.left = Number.parseInt(size, 16);
      chunks.isBetween = true;
      // Trailers are not read: the connection is closed where there are some, or where the end of the body has not come yet.
      if (chunks.left === 0) return complete(takeLine() === "");
    }
  };
  const readBody = (): boolean => {
    if (rest.kind === "chunks") return readChunks(rest);
    const taken = take(rest.kind === "length" ? rest.left : unread.byteLength);
    if (rest.kind === "length") rest.left -= taken;
    if (rest.kind === "length" && rest.left === 0) return complete(true);
    return bytes >= most && complete(false);
  };
  return {
    add(part) {
      hasBegun = true;
      unread = unread.byteLength === 0 ? part : Buffer.concat([unread, part]);
      return (head !== undefined || readHead()) && readBody();
    },
    close: () => head !== undefined && rest.kind === "close" && complete(false),
    hasBegun: () => hasBegun,
    result() {
      if (!head) throw notHttp();
      const [only = nothing] = parts;
      const body = parts.length > 1 ? Buffer.concat(parts) : only;
      return { status: head.status, headers: head.headers, body, isReusable };
    },
  };
}

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const [, version, digits] = statusLine.exec(first) ?? [];
  if (digits === undefined) throw notHttp();
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    // A line that begins with a space would continue the one before.
    if (colon < 1 || !headerName.test(name)) throw notHttp();
    const value = line.slice(colon + 1).trim();
    const known = headers[name];
    headers[name] = known === undefined ? value : `${known}, ${value}`;
  }
  const connection = headers["connection"]?.toLowerCase();
  return { status: Number(digits), headers, staysOpen: version === "1" && connection?.includes("close") !== true };
}

function restOf({ status, headers }: Head, method: string): Rest {
  if (method === "HEAD" || status === 204 || status === 304) return { kind: "length", left: 0 };
  const { "transfer-encoding": encoding, "content-length": length } = headers;
  // With both a length and an encoding, somebody between may read another end of the body: such an answer is none.
  if (encoding !== undefined && length !== undefined) throw notHttp();
  if (encoding !== undefined) {
    return encoding.toLowerCase() === "chunked" ? { kind: "chunks", left: 0, isBetween: false } : { kind: "close" };
  }
  if (length === undefined) return { kind: "close" };
  if (!/^\d{1,15}$/.test(length)) throw notHttp();
  return { kind: "length", left: Number(length) };
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const chunkSize = /^([0-9a-f]{1,12})\s*(?:;.*)?$/i;

function notHttp(): FailedCall {
  return new FailedCall("answer", "The server does not answer as HTTP/1.1 says");
}
