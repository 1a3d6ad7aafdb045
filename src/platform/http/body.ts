import { openBody } from "../../core/documents/incoming-body.ts";
import { parseJson } from "../../core/documents/incoming-json.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { systemClock } from "../concurrency/clock.ts";
import type { Admission } from "../rate-limits/rate-limits.ts";
import { dueMs, inTime, type Pace, pacedChunks } from "./paced-body.ts";

export type BodyBounds = Partial<Pace> & {
  readonly maxBytes: number;
  /**
   * Waits for a turn to parse the body, after the whole body has arrived. Parsing a large body takes as long as many
   * other requests.
   */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Counts the bytes of a body without `Content-Length` after the body has arrived. */
  readonly countFor?: Admission | undefined;
  /** Parses a large body on a separate thread, for this visitor (`core/documents/incoming-body.ts`). */
  readonly apart?: { readonly threads: BodyThreads; readonly visitor: string };
};

type BodyThreads = { readBody(bytes: Uint8Array<ArrayBuffer>, visitor: string): Promise<string> };

/**
 * Counts the announced length of a body against the client's address, for requests without a token. The length is
 * counted before any of the body is read and before the request can be rejected for another reason. Bodies below a
 * kilobyte are limited by the number of requests. `countBytes` counts a chunked body.
 */
export function countAnnounced({ headers }: Request, admission: Admission): Promise<void> | undefined {
  return countBytes(Number(headers.get("content-length") ?? 0), admission);
}

function countBytes(bytes: number, admission: Admission): Promise<void> | undefined {
  // A body above this limit is never read.
  const kilobytes = Math.floor(Math.min(bytes, limits.request.managementBodyBytes) / 1024);
  return kilobytes > 0 ? admission.admit("kilobytes", { address: admission.address }, kilobytes) : undefined;
}

/**
 * Reading a whole body costs a tenth of reading its chunks in Bun. A body up to this size arrives fast enough to be
 * read as a whole.
 */
const smallBytes = 64 * 1024;

const utf8 = new TextDecoder();

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * Reads the JSON body of a request, without Elysia's parser. A body above `maxBytes` is rejected, even if it is
 * chunked. `__proto__` and unknown keys remain ordinary keys. U+0000 and unpaired surrogates in values and keys are
 * replaced by U+FFFD. An empty body is `{}`. Throws `request.too_large`, `request.too_slow` or `request.malformed`.
 */
export async function readJsonBody(request: Request, bounds: BodyBounds): Promise<unknown> {
  const { maxBytes, turn, apart, withinMs = limits.request.bodyMs, clock = systemClock } = bounds;
  const announced = lengthOf(request.headers);
  if (announced !== null && announced <= smallBytes) {
    if (announced > maxBytes) throw tooLarge(maxBytes);
    const read = request.text();
    // The bodies of gathered requests (`gather.ts`) have usually arrived already. No `await` is necessary then.
    const arrived = Bun.peek(read);
    const text = typeof arrived === "string" ? arrived : await inTime(read, dueMs(announced, withinMs), clock);
    // Bun enforces the announced length of a request, but not for requests that tests construct.
    if (text.length > maxBytes) throw tooLarge(maxBytes);
    if (turn) await turn();
    return parsed(text, request.headers.get("content-type"));
  }
  const bytes = await readAnnounced(request, announced, bounds);
  if (turn) await turn();
  const contentType = request.headers.get("content-type");
  if (apart && isJson(contentType) && bytes.byteLength > limits.request.bodyOnThreadBytes)
    return openBody(await apart.threads.readBody(bytes, apart.visitor));
  return parsed(utf8.decode(bytes), contentType);
}

function isJson(contentType: string | null): boolean {
  return contentType === null || contentType === "application/json" || jsonType.test(contentType.trim());
}

function parsed(text: string, contentType: string | null): unknown {
  if (text.trim() === "") return {};
  if (contentType !== null && !isJson(contentType)) throw wrongType(contentType);
  return parseJson(text);
}

/**
 * Reads the body of a request, with limits on its size and duration. Throws `request.too_large` or `request.too_slow`.
 */
export function readBytes(request: Request, bounds: BodyBounds): Promise<Uint8Array<ArrayBuffer>> {
  return readAnnounced(request, lengthOf(request.headers), bounds);
}

async function readAnnounced(
  request: Request,
  announced: number | null,
  { countFor, maxBytes, withinMs = limits.request.bodyMs, clock = systemClock }: BodyBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  if (announced !== null && announced > maxBytes) throw tooLarge(maxBytes);
  if (announced !== null && announced <= smallBytes) {
    const bytes = await inTime(request.bytes(), dueMs(announced, withinMs), clock);
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }
  // When `body` is accessed, Bun creates a stream of the data that has already arrived.
  const bytes = request.body
    ? await readCounted(pacedChunks(request.body, { withinMs, clock }), maxBytes)
    : new Uint8Array();
  if (announced === null && countFor) await countBytes(bytes.byteLength, countFor);
  return bytes;
}

async function readCounted(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("request.too_large", { data: { maxBytes } });
}

function wrongType(contentType: string): AppError {
  const shown = JSON.stringify(contentType.slice(0, 100));
  const message = `This endpoint accepts JSON: send the header Content-Type: application/json instead of ${shown}.`;
  return new AppError("request.malformed", { message });
}

/** Returns the `Content-Length` of a request, or null for a chunked body. */
export function lengthOf(headers: Headers): number | null {
  const announced = headers.get("content-length");
  return announced === null ? null : Number(announced);
}
