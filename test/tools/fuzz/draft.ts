import type { WireRequest } from "./wire.ts";

/** A request before it is serialized, in the form that mutations change. */
export type Draft = {
  readonly method: string;
  /** The path as sent in the request line, without the query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly host: string;
  readonly body: Uint8Array | undefined;
  readonly isChunked: boolean;
};

export const knownMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

const latin = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return latin.encode(text);
}

export function writeRequest(draft: Draft): WireRequest {
  const { method, host, headers, body, isChunked } = draft;
  const length = body && (isChunked ? [["Transfer-Encoding", "chunked"]] : [["Content-Length", String(body.length)]]);
  const lines = [["Host", host], ...headers, ...(length ?? [])].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = bytesOf(`${method} ${targetOf(draft)} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const bytes = Buffer.concat([head, ...(body ? (isChunked ? inChunks(body) : [body]) : [])]);
  return { method, bytes, keeps: !headers.some(([name]) => /^(connection|upgrade|expect)$/i.test(name)) };
}

export function targetOf({ path, query }: Draft): string {
  if (query.length === 0) return path;
  return `${path}?${query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&")}`;
}

/** Encodes a text. A text of only unreserved characters and percent signs is not changed. */
export function encoded(text: string): string {
  return /^[\w%.~*-]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

function inChunks(body: Uint8Array): Uint8Array[] {
  const size = Math.max(1, Math.ceil(body.length / 3));
  const parts = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(bytesOf(`${part.length.toString(16)}\r\n`), part, bytesOf("\r\n"));
  }
  return [...parts, bytesOf("0\r\n\r\n")];
}

/**
 * Whether Bun accepts the request as HTTP and passes it to the service. Otherwise, Bun responds itself without a body,
 * or closes the connection.
 */
export function isHandedOn(draft: Draft): boolean {
  const target = targetOf(draft);
  const headBytes = writeRequest({ ...draft, body: undefined }).bytes.length;
  return (
    knownMethods.some((method) => method === draft.method) &&
    /^\/[\x21-\x7e]*$/.test(target) &&
    /^[\w.:[\]-]+$/.test(draft.host) &&
    draft.headers.every(([, value]) => /^[\t\x20-\x7e]*$/.test(value)) &&
    headBytes < 15_000
  );
}

/** Formats a request for a person. Long requests are shortened. */
export function describeRequest(draft: Draft): string {
  const { bytes } = writeRequest(draft);
  const text = Buffer.from(bytes).toString("utf8");
  return text.length > 8_000 ? `${text.slice(0, 4_000)} …\n… ${text.slice(-4_000)}` : text;
}
